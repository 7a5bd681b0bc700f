#pragma once

#include <functional>
#include <vector>

#include "packet.h"
#include "packet_view.h"

namespace mpd::link {

/// The most packets merged into one.
inline constexpr std::size_t kMaxPieces = 64;

/// Work the kernel has left for the network card.
struct Offload {
  /// Payload bytes of each TCP segment to cut the packet into; 0: it is one packet.
  std::uint16_t segmentBytes = 0;
  /// Start of the checksummed bytes, as in Packet; 0: the checksum is complete.
  std::uint16_t checksumStart = 0;
  std::uint16_t checksumOffset = 0;
};

/// Cuts a super-packet into its packets, like TCP segmentation offload. Each has its own lengths, IPv4
/// identification and sequence number. FIN and PSH are on the last packet only, CWR on the first only (RFC
/// 3168 section 6.1.2). Incomplete checksums stay incomplete.
/// @return false for invalid headers; then nothing is emitted
bool splitSuperPacket(ConstBytes bytes, const Offload& offload, const std::function<void(Packet)>& emit);

/// Merges consecutive packets of one TCP flow that leave together into one super-packet: the inverse of
/// cutting. The receiver sees the same as with receive offload in a network card.
class PacketMerger {
 public:
  /// Accepts the packet if it is the first or continues the previous ones; otherwise leaves it unchanged.
  bool take(Packet& packet);
  [[nodiscard]] bool empty() const { return packets_.empty(); }
  [[nodiscard]] std::size_t size() const { return packets_.size(); }

  /// The bytes to write, in pieces; valid until `clear`.
  const std::vector<ConstBytes>& pieces();
  [[nodiscard]] const Offload& offload() const { return offload_; }
  /// Length of all headers, for the kernel.
  [[nodiscard]] std::uint16_t headerBytes() const { return static_cast<std::uint16_t>(headerBytes_); }
  [[nodiscard]] bool isIpv6() const { return view_.isIpv6; }
  void clear();

 private:
  void start(const Packet& packet);
  [[nodiscard]] bool continues(const Packet& packet) const;

  std::vector<Packet> packets_;
  std::vector<ConstBytes> pieces_;
  Offload offload_;
  PacketView view_;
  std::size_t headerBytes_ = 0;
  std::size_t totalBytes_ = 0;
  /// Sequence number of the packet that would follow.
  std::uint32_t nextSequence_ = 0;
  std::uint16_t nextId_ = 0;
  bool isOpen_ = false;
};

}  // namespace mpd::link
