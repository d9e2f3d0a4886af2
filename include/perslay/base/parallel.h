#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <perslay/base/context.h>

namespace perslay::base {

/// The number of worker threads that `context` stands for, at least 1.
[[nodiscard]] int worker_count(const Context& context);

namespace detail {
/// Runs one item. Made once per worker, so it can own that worker's buffers.
using Worker = std::function<void(std::size_t item)>;

void run_parallel(const Context& context, std::string_view stage, std::size_t count,
                  const std::function<Worker()>& make_worker);
}  // namespace detail

/// Runs `body(item, buffer)` for every item in [0, count), spread over the context's threads.
///
/// `make_buffer` is called once per worker thread, on that thread; the buffer is reused from item to item, so
/// that steady-state work need not allocate. Items are handed out one by one in ascending order, which
/// balances items of very different size. The result must depend on the item alone, not on the buffer's
/// history; then it is the same for any number of threads.
///
/// If bodies throw, the error of the lowest failing item is rethrown once all workers have stopped: the same
/// error for any number of threads. If the context is cancelled, the call stops with Fault::cancelled.
template <class MakeBuffer, class Body>
void parallel_for(const Context& context, std::string_view stage, std::size_t count, MakeBuffer&& make_buffer,
                  Body&& body) {
  using Buffer = std::invoke_result_t<MakeBuffer&>;
  detail::run_parallel(context, stage, count, [&]() -> detail::Worker {
    // std::function needs something it can copy; the buffer itself stays where it is.
    return
        [&body, buffer = std::make_shared<Buffer>(make_buffer())](std::size_t item) { body(item, *buffer); };
  });
}

/// Runs `body(item)` for every item in [0, count), spread over the context's threads; for work that needs no
/// buffer.
template <class Body>
void parallel_for(const Context& context, std::string_view stage, std::size_t count, Body&& body) {
  detail::run_parallel(context, stage, count,
                       [&]() -> detail::Worker { return [&body](std::size_t item) { body(item); }; });
}

}  // namespace perslay::base
