#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace perslay::learn {

/// What ridge regressions came to, for others with the same distances, labels, gamma and lambda. Pools share
/// kernels; where several are evaluated on the same folds, each kernel is worked on once. Nothing changes
/// but the time. Thread-safe.
class RidgeMemory {
 public:
  /// Of what a regression learns from; one pass over the distances.
  using Key = std::uint64_t;
  [[nodiscard]] static Key key_of(std::span<const double> distances, std::span<const int> labels,
                                  std::size_t classes);

  enum class Purpose { judging, learning };
  struct Regression {
    Purpose purpose;
    Key key;
    double gamma, lambda;
    friend auto operator<=>(const Regression&, const Regression&) = default;
  };

  [[nodiscard]] std::optional<std::vector<double>> recall(const Regression& regression) const;

  /// Forgets everything else when that would be more than 256 MB.
  void keep(const Regression& regression, std::vector<double> numbers);

 private:
  mutable std::mutex mutex_;
  std::map<Regression, std::vector<double>> known_;
  std::size_t numbers_ = 0;
};

}  // namespace perslay::learn
