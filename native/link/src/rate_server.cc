#include "rate_server.h"

namespace mpd::link {

TimeNs RateServer::finishNs(std::uint32_t sizeBytes, TimeNs startNs) {
  // The sum is at most 65535 * 8 * 1e9 + rate: far inside 64 bits.
  const std::uint64_t bits = std::uint64_t{sizeBytes} * 8 * kSecond;
  if (rateBps_ == 0) {
    stalledWork_ = bits;
    return kNever;
  }
  if (rateBps_ == kUnlimitedBps) return startNs;
  const std::uint64_t work = bits + carry_;
  carry_ = work % rateBps_;
  return startNs + work / rateBps_;
}

TimeNs RateServer::setRate(std::uint64_t rateBps, TimeNs nowNs, TimeNs finishNs) {
  if (finishNs != kNever && finishNs > nowNs) {
    stalledWork_ = static_cast<Wide>(finishNs - nowNs) * rateBps_;
    finishNs = kNever;
  }
  if (rateBps != 0 && stalledWork_ != 0) {
    finishNs = nowNs + static_cast<TimeNs>(stalledWork_ / rateBps);
    stalledWork_ = 0;
  }
  rateBps_ = rateBps;
  carry_ = 0;
  return finishNs;
}

}  // namespace mpd::link
