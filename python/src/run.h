#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include <perslay/base/context.h>

/// How calls from Python run: without the interpreter's lock, on the threads that the user wants, and such
/// that Ctrl-C ends them.
namespace perslay::python {

/// None and 0 stand for one thread per processor.
using Threads = std::optional<int>;

namespace detail {
void run(base::Context context, const std::function<void(const base::Context&)>& work);
}  // namespace detail

/// Throws the user's error if there are less than no threads.
[[nodiscard]] base::Context make_context(Threads threads, std::uint64_t seed = 0);

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
