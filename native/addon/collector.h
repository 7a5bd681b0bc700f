// Asks the kernel for connections and subflows: everything at once, or what is already known, cheaply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "diag_socket.h"
#include "filter.h"
#include "model.h"

namespace mpd {

int64_t monotonicUs();
/** CPU time of the calling thread in microseconds. */
double threadCpuUs();

/** One snapshot by full dumps, on a socket of its own. */
Snapshot takeSnapshot(const std::string& netns, const Filter& filter);

/**
 * Takes snapshots again and again. A full TCP dump walks the kernel's whole hash of connections, used or not
 * (hundreds of microseconds), so sockets already known are asked for one by one, all in one system call.
 * Dumps find what is new: when a socket vanished, when a connection's number of subflows changed, and
 * periodically. Where sockets are so many (or the hash so small) that a dump is cheaper, it dumps every time.
 */
class Collector {
 public:
  explicit Collector(const std::string& netns) : socket_(netns) {}
  void setFilter(const Filter& filter);
  /** Fills `out`, whose memory is reused. Throws Failure; the next call starts afresh. */
  void collect(Snapshot& out);

 private:
  void dumpConnections(Snapshot& out);
  void dumpSubflows(Snapshot& out);
  void collectAll(Snapshot& out);
  /** False when something appeared or vanished, so that only dumps tell the truth. */
  bool collectKnown(Snapshot& out);
  bool askExactly(Snapshot& out, bool withConnections);
  bool sameConnections(const Snapshot& out) const;

  DiagSocket socket_;
  Filter filter_;
  /** What the last dump found, when asking for it one by one pays. */
  std::optional<Snapshot> known_;
  RequestBatch batch_;
  std::vector<uint8_t> remoteBytecode_;
  uint32_t sequence_ = 0;
  bool protocolAttributeKnown_ = false;
  /** Moving mean of the CPU time of one exact request. */
  double exactUs_ = 4;
  /** CPU time of a dump, the least of late. */
  double dumpUs_ = 0;
  /** Dumps since the filter changed. */
  uint64_t dumps_ = 0;
  int64_t nextLookUs_ = 0;
  int64_t nextDumpUs_ = 0;
};

}  // namespace mpd
