#include <vector>

#include "check.hpp"
#include "loss_model.hpp"

using namespace mpd::link;

namespace {

std::vector<bool> pattern(double probability, std::uint64_t seed, int count) {
  BernoulliLoss loss(probability, seed);
  std::vector<bool> out;
  for (int i = 0; i < count; i += 1) out.push_back(loss.isLost());
  return out;
}

int losses(const std::vector<bool>& fates) {
  int count = 0;
  for (const bool lost : fates) count += lost ? 1 : 0;
  return count;
}

}  // namespace

TEST("the seed decides the loss pattern") {
  CHECK(pattern(0.1, 7, 1'000) == pattern(0.1, 7, 1'000));
  CHECK(pattern(0.1, 7, 1'000) != pattern(0.1, 8, 1'000));
}

TEST("the share lost is the probability") {
  // Standard deviation of 100000 draws at 1 %: 31.
  const int lost = losses(pattern(0.01, 3, 100'000));
  CHECK(lost > 850 && lost < 1'150);
  CHECK_EQUAL(losses(pattern(0, 3, 10'000)), 0);
  CHECK_EQUAL(losses(pattern(1, 3, 10'000)), 10'000);
}

TEST("a probability set to 0 for a while keeps the place in the sequence") {
  const std::vector<bool> whole = pattern(0.5, 5, 20);
  BernoulliLoss loss(0, 5);
  for (int i = 0; i < 10; i += 1) CHECK(!loss.isLost());
  loss.setProbability(0.5);
  for (std::size_t i = 10; i < 20; i += 1) CHECK_EQUAL(loss.isLost(), whole[i]);
}
