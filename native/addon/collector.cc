#include "collector.h"

#include <time.h>

#include <algorithm>
#include <cerrno>

namespace mpd {
namespace {

/** Longest time a new connection may stay undetected while others are known. */
constexpr int64_t kLookEveryUs = 500'000;
/** Longest time any other change may stay undetected. */
constexpr int64_t kDumpEveryUs = 5'000'000;
/** Requests in one send: their answers must fit the smallest usual receive buffer (208 KiB). */
constexpr size_t kBatch = 64;

double clockUs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/** True for the same connection with an unchanged number of subflows. */
bool sameConnection(const Connection& a, const Connection& b) {
  return a.token() == b.token() && a.cookie == b.cookie && a.info.data.subflows == b.info.data.subflows &&
         a.info.data.subflowsTotal == b.info.data.subflowsTotal;
}

}  // namespace

int64_t monotonicUs() {
  return static_cast<int64_t>(clockUs(CLOCK_MONOTONIC));
}

double threadCpuUs() {
  return clockUs(CLOCK_THREAD_CPUTIME_ID);
}

Snapshot takeSnapshot(const std::string& netns, const Filter& filter) {
  const double cpuBefore = threadCpuUs();
  Collector collector(netns);
  collector.setFilter(filter);
  Snapshot snapshot;
  collector.collect(snapshot);
  snapshot.cpuUs = threadCpuUs() - cpuBefore;
  return snapshot;
}

void Collector::setFilter(const Filter& filter) {
  filter_ = filter;
  remoteBytecode_ = remoteBytecode(filter.remotes);
  known_.reset();
  dumps_ = 0;
}

void Collector::collect(Snapshot& out) {
  out.clear();
  const double cpuBefore = threadCpuUs();
  out.monotonicUs = monotonicUs();
  bool dumped = false;
  try {
    if (!known_ || out.monotonicUs >= nextDumpUs_ || !collectKnown(out)) {
      collectAll(out);
      dumped = true;
    }
  } catch (...) {
    // Also std::bad_alloc.
    known_.reset();
    socket_.drain();
    throw;
  }
  out.cpuUs = threadCpuUs() - cpuBefore;
  const auto sockets = static_cast<double>(out.connections.size() + out.subflows.size());
  if (dumped) {
    // Without known sockets, and for plain TCP sockets, which appear unannounced, only dumps find them. One
    // load spike must not raise the estimated cost of a dump; a lasting rise is followed slowly.
    dumpUs_ = dumps_ < 2 ? out.cpuUs : std::min(out.cpuUs, dumpUs_ * 1.05);
    const bool exactPays = sockets * exactUs_ < dumpUs_;
    known_.reset();
    // The first dump also allocates memory, so its cost is not representative.
    const bool costKnown = ++dumps_ > 1;
    if (out.connections.empty()) {
      dumps_ = 0;  // This dump did not look for subflows.
    } else if (exactPays && costKnown && !filter_.includePlainTcp) {
      known_ = out;
    }
  } else {
    exactUs_ += (out.cpuUs / sockets - exactUs_) / 8;
  }
}

void Collector::collectAll(Snapshot& out) {
  out.clear();
  dumpConnections(out);
  dumpSubflows(out);
  nextLookUs_ = out.monotonicUs + kLookEveryUs;
  nextDumpUs_ = out.monotonicUs + kDumpEveryUs;
}

void Collector::dumpConnections(Snapshot& out) {
  const auto dump = [&](uint8_t family) {
    batch_.clear();
    batch_.addMptcpDump(++sequence_, family, remoteBytecode_);
    socket_.dump(batch_, sequence_, [&](Bytes payload) {
      Connection& connection = out.connections.emplace_back();
      decodeMptcpSocket(payload, connection);
      if (!connection.hasToken() || !filter_.passes(connection)) out.connections.pop_back();
    });
  };
  if (protocolAttributeKnown_) return dump(AF_UNSPEC);
  try {
    dump(AF_INET);
    dump(AF_INET6);
  } catch (const Failure& failure) {
    if (failure.error() != ENOENT) throw;
    throw Failure("MPTCP_DIAG_MISSING",
                  "the kernel offers no inet_diag for MPTCP: run `modprobe mptcp_diag`, or use a kernel "
                  "(5.9 or newer) built with CONFIG_MPTCP and CONFIG_INET_MPTCP_DIAG",
                  ENOENT);
  }
  protocolAttributeKnown_ = true;
}

void Collector::dumpSubflows(Snapshot& out) {
  if (out.connections.empty() && !filter_.includePlainTcp) return;
  // Subflows follow their connection, regardless of their own remote end. The kernel can filter only if there
  // are none.
  const Bytes bytecode = out.connections.empty() ? Bytes(remoteBytecode_) : Bytes();
  SubflowSorter sorter(filter_, out.connections);
  batch_.clear();
  batch_.addTcpDump(++sequence_, bytecode);
  socket_.dump(batch_, sequence_, [&](Bytes payload) {
    Subflow& subflow = out.subflows.emplace_back();
    decodeTcpSocket(payload, subflow);
    if (!sorter.keeps(subflow)) out.subflows.pop_back();
  });
  sorter.finish();
}

bool Collector::sameConnections(const Snapshot& out) const {
  return std::equal(out.connections.begin(), out.connections.end(), known_->connections.begin(),
                    known_->connections.end(), sameConnection);
}

bool Collector::collectKnown(Snapshot& out) {
  const bool lookForConnections = out.monotonicUs >= nextLookUs_;
  if (lookForConnections) {
    dumpConnections(out);
    if (!sameConnections(out)) return false;
    nextLookUs_ = out.monotonicUs + kLookEveryUs;
  }
  return askExactly(out, !lookForConnections);
}

bool Collector::askExactly(Snapshot& out, bool withConnections) {
  if (withConnections) out.connections.resize(known_->connections.size());
  out.subflows.resize(known_->subflows.size());
  const size_t connections = withConnections ? known_->connections.size() : 0;
  const size_t total = connections + known_->subflows.size();
  for (size_t from = 0; from < total; from += kBatch) {
    batch_.clear();
    const size_t to = std::min(total, from + kBatch);
    const uint32_t base = sequence_ + 1;
    for (size_t i = from; i < to; ++i) {
      if (i < connections) {
        batch_.addMptcpExact(++sequence_, known_->connections[i].token());
      } else {
        batch_.addTcpExact(++sequence_, known_->subflows[i - connections]);
      }
    }
    bool allThere = true;
    const bool complete = socket_.exchange(batch_, [&](const DiagItem& item) {
      const size_t index = from + (item.sequence - base);
      if (!allThere || item.kind != DiagItem::Kind::kSocket || index >= to) {
        allThere = false;
      } else if (index < connections) {
        Connection& connection = out.connections[index];
        decodeMptcpSocket(item.payload, connection);
        const Connection& before = known_->connections[index];
        allThere = connection.hasToken() && sameConnection(connection, before);
      } else {
        Subflow& subflow = out.subflows[index - connections];
        decodeTcpSocket(item.payload, subflow);
        const Subflow& before = known_->subflows[index - connections];
        subflow.congestionControl = before.congestionControl;  // Values of the last dump.
        allThere = subflow.cookie == before.cookie && subflow.hasToken && subflow.token == before.token;
      }
    });
    if (!complete) socket_.drain();
    if (!allThere || !complete) return false;
  }
  return true;
}

}  // namespace mpd
