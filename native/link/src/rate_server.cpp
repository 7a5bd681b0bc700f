#include "rate_server.hpp"

namespace mpd::link {

namespace {
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
// Seconds of service at 100 Gbit/s pass 64 bits.
__extension__ using Wide = unsigned __int128;
}  // namespace

TimeNs RateServer::finishNs(std::uint32_t sizeBytes, TimeNs startNs) {
  // At most 65535 * 8 * 1e9 + rate: far inside 64 bits.
  const std::uint64_t work = std::uint64_t{sizeBytes} * 8 * kNsPerSecond + carry_;
  carry_ = work % rateBps_;
  return startNs + work / rateBps_;
}

TimeNs RateServer::setRate(std::uint64_t rateBps, TimeNs nowNs, TimeNs finishNs) {
  TimeNs moved = finishNs;
  if (finishNs != kNever && finishNs > nowNs) {
    const auto bitNs = static_cast<Wide>(finishNs - nowNs) * rateBps_;
    moved = nowNs + static_cast<TimeNs>(bitNs / rateBps);
  }
  rateBps_ = rateBps;
  carry_ = 0;
  return moved;
}

}  // namespace mpd::link
