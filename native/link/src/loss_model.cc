#include "loss_model.h"

namespace mpd::link {

double LossConfig::meanRatio() const {
  if (!hasBursts || goodToBad + badToGood == 0) return good;
  const double badShare = goodToBad / (goodToBad + badToGood);
  return good + (bad - good) * badShare;
}

bool LossModel::isLost() {
  if (!config_.hasBursts) {
    isBad_ = false;
    return random_.uniform() < config_.good;
  }
  if (random_.uniform() < (isBad_ ? config_.badToGood : config_.goodToBad)) isBad_ = !isBad_;
  return random_.uniform() < (isBad_ ? config_.bad : config_.good);
}

}  // namespace mpd::link
