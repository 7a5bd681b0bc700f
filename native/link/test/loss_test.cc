#include <vector>

#include "check.h"
#include "loss_model.h"

using namespace mpd::link;

namespace {

std::vector<bool> pattern(const LossConfig& config, std::uint64_t seed, int count) {
  LossModel loss(config, seed);
  std::vector<bool> out;
  for (int i = 0; i < count; i += 1) out.push_back(loss.isLost());
  return out;
}

std::vector<bool> pattern(double probability, std::uint64_t seed, int count) {
  return pattern(LossConfig::independent(probability), seed, count);
}

int losses(const std::vector<bool>& fates) {
  int count = 0;
  for (const bool lost : fates) count += lost ? 1 : 0;
  return count;
}

const LossConfig kBursts{.goodToBad = 0.01, .badToGood = 0.25, .hasBursts = true};

}  // namespace

TEST("the seed decides the loss pattern") {
  CHECK(pattern(0.1, 7, 1'000) == pattern(0.1, 7, 1'000));
  CHECK(pattern(0.1, 7, 1'000) != pattern(0.1, 8, 1'000));
  CHECK(pattern(kBursts, 7, 1'000) == pattern(kBursts, 7, 1'000));
  CHECK(pattern(kBursts, 7, 1'000) != pattern(kBursts, 8, 1'000));
}

TEST("the share lost is the probability") {
  // Standard deviation of 100000 draws at 1 %: 31.
  const int lost = losses(pattern(0.01, 3, 100'000));
  CHECK(lost > 850 && lost < 1'150);
  CHECK_EQUAL(losses(pattern(0, 3, 10'000)), 0);
  CHECK_EQUAL(losses(pattern(1, 3, 10'000)), 10'000);
}

TEST("Gilbert-Elliott: bursts are as long and as frequent as the two probabilities predict") {
  const std::vector<bool> fates = pattern(kBursts, 3, 400'000);
  int bursts = 0;
  for (std::size_t i = 1; i < fates.size(); i += 1) bursts += fates[i] && !fates[i - 1] ? 1 : 0;
  const double share = losses(fates) / 400'000.0;
  const double length = static_cast<double>(losses(fates)) / bursts;
  // 0.01 / (0.01 + 0.25) and 1 / 0.25.
  CHECK(kBursts.meanRatio() > 0.0384 && kBursts.meanRatio() < 0.0385);
  CHECK(share > 0.035 && share < 0.042);
  CHECK(length > 3.7 && length < 4.3);
}

TEST("Gilbert-Elliott: either state may lose some and keep some") {
  LossConfig config{.good = 0.02, .bad = 0.5, .goodToBad = 0.1, .badToGood = 0.1, .hasBursts = true};
  const double share = losses(pattern(config, 5, 200'000)) / 200'000.0;
  CHECK_EQUAL(config.meanRatio(), 0.26);
  CHECK(share > 0.25 && share < 0.27);
}

TEST("a probability set to 0 for a while keeps the place in the sequence") {
  const std::vector<bool> whole = pattern(0.5, 5, 20);
  LossModel loss(LossConfig{}, 5);
  for (int i = 0; i < 10; i += 1) CHECK(!loss.isLost());
  loss.set(LossConfig::independent(0.5));
  for (std::size_t i = 10; i < 20; i += 1) CHECK_EQUAL(loss.isLost(), whole[i]);
}
