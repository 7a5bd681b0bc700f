// Requests connections and subflows from the kernel: all of them by dumps, or the known ones by cheap exact
// requests.
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
 * Takes snapshots periodically. A full TCP dump walks the kernel's whole hash of connections, used or not
 * (hundreds of microseconds). Known sockets are therefore requested one by one, all in one system call. Dumps
 * find new sockets: after a socket vanished, after a connection's number of subflows changed, and
 * periodically. With many sockets, or a small hash, a dump is cheaper, so every snapshot uses dumps.
 */
class Collector {
 public:
  explicit Collector(const std::string& netns) : socket_(netns) {}
  void setFilter(const Filter& filter);
  /** Fills `out`, whose memory is reused. Throws Failure; the next call starts from scratch. */
  void collect(Snapshot& out);

 private:
  void dumpConnections(Snapshot& out);
  void dumpSubflows(Snapshot& out);
  void collectAll(Snapshot& out);
  /** False when a socket appeared or vanished, so only dumps are correct. */
  bool collectKnown(Snapshot& out);
  bool askExactly(Snapshot& out, bool withConnections);
  bool sameConnections(const Snapshot& out) const;

  DiagSocket socket_;
  Filter filter_;
  /** Sockets of the last dump, while exact requests are cheaper. */
  std::optional<Snapshot> known_;
  RequestBatch batch_;
  std::vector<uint8_t> remoteBytecode_;
  uint32_t sequence_ = 0;
  bool protocolAttributeKnown_ = false;
  /** Moving mean of the CPU time of one exact request. */
  double exactUs_ = 4;
  /** Recent minimum of a dump's CPU time. */
  double dumpUs_ = 0;
  /** Dumps since the filter changed. */
  uint64_t dumps_ = 0;
  int64_t nextLookUs_ = 0;
  int64_t nextDumpUs_ = 0;
};

}  // namespace mpd
