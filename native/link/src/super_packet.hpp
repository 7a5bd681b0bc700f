#pragma once

#include <functional>
#include <vector>

#include "packet.hpp"
#include "packet_view.hpp"

namespace mpd::link {

/// The most packets merged into one.
inline constexpr std::size_t kMaxPieces = 64;

/// What the kernel has left for later in a packet, as a network card would be told it.
struct Offload {
  /// Payload bytes of each TCP segment the packet is to be cut into; 0: it is one packet.
  std::uint16_t segmentBytes = 0;
  /// As in Packet; 0: the checksum is complete.
  std::uint16_t checksumStart = 0;
  std::uint16_t checksumOffset = 0;
};

/// Cuts what the kernel handed over into the packets it stands for, as TCP segmentation offload does: each
/// with its own lengths, IPv4 identification and sequence number; FIN and PSH on the last alone, CWR on the
/// first alone (RFC 3168 section 6.1.2). Checksums stay unfinished where they were.
/// @return false when the headers are not what such a packet has; nothing was handed out
bool splitSuperPacket(ConstBytes bytes, const Offload& offload, const std::function<void(Packet)>& emit);

/// Packets that follow each other in one TCP flow and leave together, as the one super-packet they would have
/// come in: the inverse of cutting. What a receiver sees is the same as with receive offload in a network
/// card.
class PacketMerger {
 public:
  /// Takes the packet when it is the first or continues the ones before; leaves it alone otherwise.
  bool take(Packet& packet);
  [[nodiscard]] bool empty() const { return packets_.empty(); }
  [[nodiscard]] std::size_t size() const { return packets_.size(); }

  /// The bytes to be written, piece by piece; valid until `clear`.
  const std::vector<ConstBytes>& pieces();
  [[nodiscard]] const Offload& offload() const { return offload_; }
  /// Of all headers, for the kernel.
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
  /// Of the packet that would follow.
  std::uint32_t nextSequence_ = 0;
  std::uint16_t nextId_ = 0;
  bool isOpen_ = false;
};

}  // namespace mpd::link
