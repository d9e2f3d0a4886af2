#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/learn/schedule.h>

namespace perslay::learn {
namespace {

/// From `begin` to `end` along half a cosine as x goes from 0 to 1.
double ease(double begin, double end, double x) {
  return end + (begin - end) * (1 + std::cos(std::numbers::pi * x)) / 2;
}

/// Zero if there is nowhere to go.
double part(double done, double all) { return all > 0 ? done / all : 0; }

constexpr double rise = 0.3;        // of all steps
constexpr double first = 1.0 / 25;  // of the rate
constexpr double last = 4e-6;       // first / 10^4

double one_cycle(double step, double final_step) {
  const double top = rise * (final_step + 1) - 1;  // the step of the highest rate
  return step <= top ? ease(first, 1, part(step, top)) : ease(1, last, part(step - top, final_step - top));
}

base::Registry<Schedule>::Make alone(Schedule::Type type) {
  return [type](base::Arguments& /*none*/) { return Schedule{type, 0}; };
}

Schedule halving(base::Arguments& arguments) {
  const auto epochs = base::parse_size(arguments.text(),
                                       "halving needs a number of epochs such as halving:20", 1'000'000'000);
  return {Schedule::Type::halving, epochs};
}

}  // namespace

double Schedule::factor(std::size_t step, std::size_t steps, std::size_t epochs_in_all) const {
  const double final_step = static_cast<double>(steps * epochs_in_all) - 1;
  switch (type) {
    case Type::constant:
      return 1;
    case Type::halving:
      return std::ldexp(1.0, -static_cast<int>(step / steps / epochs));
    case Type::cosine:
      return ease(1, 0, static_cast<double>(step) / (final_step + 1));
    case Type::one_cycle:
      return one_cycle(static_cast<double>(step), final_step);
  }
  return 1;
}

std::size_t Schedule::effective_epochs(std::size_t epochs_in_all) const noexcept {
  constexpr std::size_t halvings = std::numeric_limits<float>::digits;
  return type == Type::halving ? std::min(epochs_in_all, halvings * epochs) : epochs_in_all;
}

const base::Registry<Schedule>& schedules() {
  static const auto table = [] {
    base::Registry<Schedule> names("schedule");
    names.add("constant", {"constant", "the same rate at all times"}, alone(Schedule::Type::constant));
    names.add("halving", {"halving:E", "half the rate after every E epochs"}, halving);
    names.add("cosine", {"cosine", "down to 0 along half a cosine"}, alone(Schedule::Type::cosine));
    names.add("one-cycle",
              {"one-cycle", "up from a 25th of the rate in the first 30 %, then down to almost 0"},
              alone(Schedule::Type::one_cycle));
    return names;
  }();
  return table;
}

Schedule parse_schedule(std::string_view name) { return schedules().make(name); }

std::size_t effective_epochs(const TrainingSettings& settings) {
  return parse_schedule(settings.schedule).effective_epochs(settings.epochs);
}

}  // namespace perslay::learn
