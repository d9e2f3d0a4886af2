#include "campaign/families.h"
#include "persistence/cech_complex.h"
#include "persistence/diagram_matching.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <perslay/persistence/alpha_persistence.h>

namespace perslay::campaign {
namespace {

using test::Cloud;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

Cloud draw(base::RandomStream& random) {
  const auto size = random.below(8);
  const auto item = random();
  return test::draw_cloud(size, item, random);
}

std::string fault(const Cloud& cloud) {
  static thread_local persistence::AlphaPersistence persistence;
  const auto expected = test::cech_persistence<Rational>(cloud);
  const auto& found = persistence.compute(cloud);
  for (const auto& [name, ours, theirs] :
       {std::tuple("h0", &found.h0.points, &expected.h0), std::tuple("h1", &found.h1.points, &expected.h1)})
    if (const auto same = test::match(*ours, *theirs); !same)
      return fmt::format("{}: {}", name, same.message());
  return {};
}

std::string text(const Cloud& cloud) {
  std::string lines;
  for (const auto& [x, y] : cloud) lines += fmt::format("{} {}\n", x, y);
  return lines;
}

}  // namespace

Family alpha_persistence() {
  return family<Cloud>("alpha-persistence", "matrix reduction of the Čech complex, in exact rationals", 10,
                       {draw, fault, with_one_less<Cloud>, text});
}

}  // namespace perslay::campaign
