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

/// 0 stands for base::default_threads(). In Python that is None and -1.
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

/// What Python calls threads: None, or a number as scikit-learn counts `n_jobs`, where -1 stands for one per processor,
/// -2 for one less, and so on. The user's error for 0 and what is no whole number.
[[nodiscard]] Threads to_threads(pybind11::handle object);

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
    value = perslay::python::to_threads(source);
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
