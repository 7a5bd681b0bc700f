// The addon's socket records: plain data, copied freely between threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "wire.h"

namespace mpd {

/** An error with one of the stable codes of index.d.ts. */
class Failure : public std::runtime_error {
 public:
  Failure(const char* code, const std::string& message, int error = 0)
      : std::runtime_error(message), code_(code), error_(error) {}
  const char* code() const { return code_; }
  /** errno, 0 if the kernel gave none. */
  int error() const { return error_; }

 private:
  const char* code_;  // A string literal.
  int error_;
};

/** An IP address and port; v4-mapped IPv6 is kept as IPv4. */
struct Endpoint {
  /** Network order; IPv4 uses the first 4 bytes. */
  std::array<uint8_t, 16> address{};
  uint16_t port = 0;
  bool v6 = false;

  bool sameAddress(const Endpoint& other) const { return v6 == other.v6 && address == other.address; }
  bool operator==(const Endpoint&) const = default;
};

/** The fields of wire::TcpInfo up to `length`; the rest is zero and means "not reported". */
struct TcpInfo {
  uint32_t length = 0;
  wire::TcpInfo data{};
};

struct MptcpInfo {
  uint32_t length = 0;
  wire::MptcpInfo data{};
};

/** The fields common to both kinds of socket. */
struct Socket {
  Endpoint local;
  Endpoint remote;
  uint8_t family = 0;
  uint8_t state = 0;
  uint32_t interfaceIndex = 0;
  uint32_t inode = 0;
  uint32_t uid = 0;
  uint64_t cookie = 0;
  /** If the kernel reports no cookie of a subflow: its number within the connection, whose cookie is above.
   */
  bool hasCookieSuffix = false;
  uint32_t cookieSuffix = 0;
};

struct Subflow : Socket {
  bool hasUlp = false;
  bool hasToken = false;
  bool hasFlags = false;
  bool hasLocalId = false;
  bool hasRemoteId = false;
  uint8_t localId = 0;
  uint8_t remoteId = 0;
  uint32_t token = 0;
  uint32_t flags = 0;
  std::array<char, 16> congestionControl{};
  TcpInfo tcp;
};

struct Connection : Socket {
  MptcpInfo info;
  uint32_t token() const { return info.data.token; }
  /** False for a listener, which has no connection. */
  bool hasToken() const { return info.length >= offsetof(wire::MptcpInfo, token) + sizeof(uint32_t); }
};

struct Snapshot {
  int64_t monotonicUs = 0;
  double cpuUs = 0;
  std::vector<Connection> connections;
  std::vector<Subflow> subflows;

  void clear() {
    connections.clear();
    subflows.clear();
  }
};

}  // namespace mpd
