// The kernel's MPTCP path manager (generic netlink `mptcp_pm`) in this process's network namespace.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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

/** The two ends of one connection's subflow, in the form of the userspace path manager's commands. */
struct SubflowEnds {
  uint32_t token = 0;
  PmEndpoint local;
  PmEndpoint remote;
  /** The sockets are of AF_INET6 and carry IPv4 addresses. */
  bool mapped = false;
  bool operator==(const SubflowEnds&) const = default;
};

/** The used fields of a path manager event. */
struct PmEvent {
  uint8_t command = 0;
  uint32_t token = 0;
  bool hasToken = false;
  /** kEventAnnounced, kEventRemoved. */
  uint8_t remoteId = 0;
  /** kEventAnnounced. */
  std::optional<Endpoint> remote;
};

// MPTCP_EVENT_* (linux/mptcp_pm.h).
inline constexpr uint8_t kEventEstablished = 2;
inline constexpr uint8_t kEventClosed = 3;
inline constexpr uint8_t kEventAnnounced = 6;
inline constexpr uint8_t kEventRemoved = 7;
inline constexpr uint8_t kEventSubflowEstablished = 10;
inline constexpr uint8_t kEventSubflowClosed = 11;
inline constexpr uint8_t kEventSubflowPriority = 13;

/** The kernel interface that the policy requires. Calls throw Failure. */
class PathManager {
 public:
  virtual ~PathManager() = default;
  virtual std::vector<PmEndpoint> list() = 0;
  virtual void add(const PmEndpoint& endpoint) = 0;
  /** Id 0: the first subflows of connections from that address. */
  virtual void remove(const PmEndpoint& endpoint) = 0;
  virtual void setFlags(const PmEndpoint& endpoint) = 0;
  virtual bool hasInterface(uint32_t index) = 0;
  // The kernel refuses these (EINVAL) for connections of its own path manager.
  virtual void createSubflow(const SubflowEnds& ends) = 0;
  virtual void destroySubflow(const SubflowEnds& ends) = 0;
  /** Notifies the other end that the address of this id is gone (RM_ADDR). */
  virtual void removeAddress(uint32_t token, uint8_t id) = 0;
  /** The backup flag is that of `ends.local.flags`. */
  virtual void setSubflowFlags(const SubflowEnds& ends) = 0;
};

/** The path manager's events (multicast group `mptcp_pm_events`). */
class PmEvents {
 public:
  using OnEvent = std::function<void(uint8_t command, Bytes attributes)>;
  virtual ~PmEvents() = default;
  /** Readable when events are pending. */
  virtual int fd() const = 0;
  /** Visits pending events without waiting; false if some were lost before. Throws Failure. */
  virtual bool read(const OnEvent& onEvent) = 0;
};

/** The real kernel. Throws Failure if it has no MPTCP. */
std::unique_ptr<PathManager> openPathManager();
/** Throws Failure if the events are unavailable. */
std::unique_ptr<PmEvents> openPmEvents();

/** The attributes of a request about an endpoint. Pure. */
std::vector<uint8_t> encodeEndpoint(const PmEndpoint& endpoint);
/** An answer's attributes; false for an unknown address family. Throws Failure on malformed bytes. Pure. */
bool decodeEndpoint(Bytes attributes, PmEndpoint& out);
/** The attributes of a request about a subflow. Pure. */
std::vector<uint8_t> encodeSubflow(const SubflowEnds& ends);
/** The attributes of a request about a connection's local address. Pure. */
std::vector<uint8_t> encodeRemoval(uint32_t token, uint8_t id);
/** An event's attributes. Throws Failure on malformed bytes. Pure. */
PmEvent decodeEvent(uint8_t command, Bytes attributes);

}  // namespace mpd::helper
