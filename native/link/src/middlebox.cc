#include "middlebox.h"

#include "checksum.h"
#include "mptcp_options.h"

namespace mpd::link {

void Middlebox::apply(const MiddleboxChange& change) {
  stripMpCapable_ = change.stripMpCapable.value_or(stripMpCapable_);
  stripMpJoin_ = change.stripMpJoin.value_or(stripMpJoin_);
  dropAddAddr_ = change.dropAddAddr.value_or(dropAddAddr_);
  if (change.nat) {
    nat_.reset();
    if (*change.nat) nat_.emplace(**change.nat);
  }
  if (change.resetAfterBytes) {
    resetter_.reset();
    if (*change.resetAfterBytes) resetter_.emplace(**change.resetAfterBytes);
  }
  wasActive_ = wasActive_ || isActive();
}

void Middlebox::pass(int direction, Packet packet, TimeNs nowNs, const Forward& forward) {
  if (!isActive()) return forward(direction, std::move(packet));
  completeChecksum(packet);
  // All functions but the NAT see the addresses of side a, in both directions.
  if (direction == 1 && !translate(1, packet.bytes(), nowNs)) return;
  strip(packet.bytes());
  if (resetter_) {
    ConnectionResetter::Verdict verdict = resetter_->inspect(packet, nowNs);
    if (verdict.resets) {
      stats_.resets += verdict.isFirst ? 1 : 0;
      send(direction, std::move(verdict.toDestination), nowNs, forward);
      return send(1 - direction, std::move(verdict.toSource), nowNs, forward);
    }
  }
  send(direction, std::move(packet), nowNs, forward);
}

void Middlebox::send(int direction, Packet packet, TimeNs nowNs, const Forward& forward) {
  if (direction == 0 && !translate(0, packet.bytes(), nowNs)) return;
  forward(direction, std::move(packet));
}

void Middlebox::strip(Bytes packet) {
  if (!stripMpCapable_ && !stripMpJoin_ && !dropAddAddr_) return;
  const std::optional<PacketView> view = viewPacket(packet);
  const std::optional<TcpView> tcp = view ? viewTcp(packet, *view) : std::nullopt;
  if (!tcp) return;
  const bool isSyn = (tcp->flags & kSyn) != 0;
  if (stripMpCapable_ && isSyn) {
    stats_.mpCapableStripped += stripMptcpOption(packet, *tcp, MptcpSubtype::kMpCapable);
  }
  if (stripMpJoin_ && isSyn) {
    stats_.mpJoinStripped += stripMptcpOption(packet, *tcp, MptcpSubtype::kMpJoin);
  }
  if (dropAddAddr_) stats_.addAddrDropped += stripMptcpOption(packet, *tcp, MptcpSubtype::kAddAddr);
}

bool Middlebox::translate(int direction, Bytes packet, TimeNs nowNs) {
  if (!nat_) return true;
  const Nat::Result result = direction == 0 ? nat_->outbound(packet, nowNs) : nat_->inbound(packet, nowNs);
  stats_.natRewritten += result == Nat::Result::kRewritten ? 1 : 0;
  stats_.natDrops += result == Nat::Result::kDropped ? 1 : 0;
  return result != Nat::Result::kDropped;
}

}  // namespace mpd::link
