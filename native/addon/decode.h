// Converts bytes from the kernel into records. Pure: no system calls, no N-API. Every length is checked.
#pragma once

#include <cstdint>
#include <span>

#include "model.h"

namespace mpd {

using Bytes = std::span<const uint8_t>;

/** One netlink message of a sock_diag answer. */
struct DiagItem {
  enum class Kind { kSocket, kError, kDone, kOther };
  Kind kind = Kind::kOther;
  uint32_t sequence = 0;
  uint16_t flags = 0;
  /** Positive errno of kError, and of kDone when a dump ended early. */
  int error = 0;
  /** The payload of kSocket. */
  Bytes payload;
};

/** Walks the messages in a buffer; throws Failure NETLINK if one does not fit. */
class DiagReader {
 public:
  explicit DiagReader(Bytes bytes) : bytes_(bytes) {}
  /** False at the end of the buffer. */
  bool next(DiagItem& item);

 private:
  Bytes bytes_;
  size_t offset_ = 0;
};

/** Decodes a kSocket payload of protocol TCP. Throws Failure NETLINK on malformed bytes. */
void decodeTcpSocket(Bytes payload, Subflow& out);

/** Decodes a kSocket payload of protocol MPTCP. Throws Failure NETLINK on malformed bytes. */
void decodeMptcpSocket(Bytes payload, Connection& out);

enum class Protocol { kTcp, kMptcp };

/** Appends every socket of a whole capture to `out`. Also throws if the capture contains a kernel error. */
void decodeCapture(Bytes bytes, Protocol protocol, Snapshot& out);

TcpInfo decodeTcpInfo(Bytes bytes);
MptcpInfo decodeMptcpInfo(Bytes bytes);

/** Normalises a raw address of AF_INET (4 bytes used) or AF_INET6 (16 bytes). */
Endpoint makeEndpoint(uint8_t family, const uint8_t* address, uint16_t networkPort);

/** Throws Failure NETLINK when the family is neither AF_INET nor AF_INET6. */
Endpoint decodeSockaddr(const sockaddr_storage& storage);

}  // namespace mpd
