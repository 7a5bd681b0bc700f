// The kernel's MPTCP path manager (generic netlink `mptcp_pm`) in this process's network namespace.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../../addon/decode.h"
#include "../../addon/file.h"
#include "../../addon/model.h"

namespace mpd::helper {

/** One endpoint; the port is that of `address`. */
struct PmEndpoint {
  uint8_t id = 0;
  Endpoint address;
  uint32_t flags = 0;
  uint32_t interfaceIndex = 0;
  bool operator==(const PmEndpoint&) const = default;
};

/** What the policy needs of the kernel. Calls throw Failure. */
class PathManager {
 public:
  virtual ~PathManager() = default;
  virtual std::vector<PmEndpoint> list() = 0;
  virtual void add(const PmEndpoint& endpoint) = 0;
  /** Id 0: the first subflows of connections from that address. */
  virtual void remove(const PmEndpoint& endpoint) = 0;
  virtual void setFlags(const PmEndpoint& endpoint) = 0;
  virtual bool hasInterface(uint32_t index) = 0;
};

/** The kernel itself. Throws Failure where it has no MPTCP. */
std::unique_ptr<PathManager> openPathManager();

/** The attributes of a request about an endpoint. Pure. */
std::vector<uint8_t> encodeEndpoint(const PmEndpoint& endpoint);
/** An answer's attributes; false for an unknown address family. Throws Failure on malformed bytes. Pure. */
bool decodeEndpoint(Bytes attributes, PmEndpoint& out);

}  // namespace mpd::helper
