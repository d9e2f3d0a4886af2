#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include <pybind11/pybind11.h>

#include <perslay/base/context.h>

/// How calls from Python run: without the interpreter's lock, on the threads that the user wants, and such
/// that Ctrl-C ends them.
namespace perslay::python {

/// None and 0 stand for base::default_threads().
struct Threads {
  int count = 0;
};

struct Seed {
  std::uint64_t value = 0;

  operator std::uint64_t() const noexcept { return value; }  // NOLINT(google-explicit-constructor)
};

namespace detail {
void run(base::Context context, const std::function<void(const base::Context&)>& work);
}  // namespace detail

[[nodiscard]] base::Context make_context(Threads threads, std::uint64_t seed = 0);
[[nodiscard]] inline base::Context make_context(int threads) { return make_context(Threads{threads}); }

/// A whole number up to `most`, or the user's error; `what` begins the sentence.
[[nodiscard]] std::uint64_t whole_number(pybind11::handle object, const char* what, std::uint64_t most);

/// Returns work(context). It must not touch Python objects. On the main thread, signals are listened to
/// several times a second while another thread works; if a handler raises (KeyboardInterrupt, mostly), the
/// work is cancelled and its exception goes on.
template <class Work>
auto run(const base::Context& context, Work&& work) {
  using Result = std::invoke_result_t<Work&, const base::Context&>;
  if constexpr (std::is_void_v<Result>) {
    detail::run(context, [&](const base::Context& inside) { work(inside); });
  } else {
    std::optional<Result> result;
    detail::run(context, [&](const base::Context& inside) { result.emplace(work(inside)); });
    return std::move(*result);
  }
}

}  // namespace perslay::python

namespace pybind11::detail {

template <>
struct type_caster<perslay::python::Threads> {
  PYBIND11_TYPE_CASTER(perslay::python::Threads, const_name("int | None"));

  bool load(handle source, bool /*convert*/) {
    constexpr std::uint64_t most = 1 << 30;
    if (!source.is_none())
      value.count = static_cast<int>(perslay::python::whole_number(source, "threads", most));
    return true;
  }
};

template <>
struct type_caster<perslay::python::Seed> {
  PYBIND11_TYPE_CASTER(perslay::python::Seed, const_name("int"));

  bool load(handle source, bool /*convert*/) {
    value.value = perslay::python::whole_number(source, "A seed", UINT64_MAX);
    return true;
  }
};

}  // namespace pybind11::detail
