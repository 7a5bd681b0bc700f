#include "collector.h"

#include <time.h>

#include <algorithm>
#include <cerrno>

namespace mpd {
namespace {

/** How long a new connection may stay unseen while others are known. */
constexpr int64_t kLookEveryUs = 500'000;
/** How long any other surprise may. */
constexpr int64_t kDumpEveryUs = 5'000'000;
/** Requests in one send: their answers must fit the smallest usual receive buffer (208 KiB). */
constexpr size_t kBatch = 64;

double clockUs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

bool sameCounts(const Connection& a, const Connection& b) {
  return a.info.data.subflows == b.info.data.subflows &&
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
  stale_ = true;
}

void Collector::collect(Snapshot& out) {
  out.clear();
  const double cpuBefore = threadCpuUs();
  out.monotonicUs = monotonicUs();
  const bool mustDump =
      stale_ || filter_.includePlainTcp || known_.connections.empty() || out.monotonicUs >= nextDumpUs_;
  stale_ = true;  // until this round has succeeded
  try {
    if (mustDump || !collectKnown(out, out.monotonicUs >= nextLookUs_)) collectAll(out);
  } catch (const Failure&) {
    socket_.drain();
    throw;
  }
  stale_ = false;
  out.cpuUs = threadCpuUs() - cpuBefore;
}

void Collector::collectAll(Snapshot& out) {
  out.clear();
  dumpConnections(out);
  dumpSubflows(out);
  known_ = out;
  nextLookUs_ = out.monotonicUs + kLookEveryUs;
  nextDumpUs_ = out.monotonicUs + kDumpEveryUs;
}

void Collector::dumpConnections(Snapshot& out) {
  const auto dump = [&](uint8_t family) {
    batch_.clear();
    batch_.addMptcpDump(++sequence_, family, remoteBytecode_);
    socket_.dump(batch_, sequence_, [&](Bytes payload) {
      Connection connection;
      decodeMptcpSocket(payload, connection);
      if (connection.hasToken() && filter_.passes(connection)) out.connections.push_back(connection);
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
  // Subflows follow their connection, whatever their own remote end: only without any can the kernel filter.
  const Bytes bytecode = out.connections.empty() ? Bytes(remoteBytecode_) : Bytes();
  SubflowSorter sorter(filter_, out);
  batch_.clear();
  batch_.addTcpDump(++sequence_, bytecode);
  socket_.dump(batch_, sequence_, [&](Bytes payload) {
    Subflow subflow;
    decodeTcpSocket(payload, subflow);
    sorter.add(subflow);
  });
  sorter.finish();
}

bool Collector::sameConnections(const Snapshot& out) const {
  return std::equal(out.connections.begin(), out.connections.end(), known_.connections.begin(),
                    known_.connections.end(), [](const Connection& a, const Connection& b) {
                      return a.token() == b.token() && a.cookie == b.cookie && sameCounts(a, b);
                    });
}

bool Collector::collectKnown(Snapshot& out, bool lookForConnections) {
  if (lookForConnections) {
    dumpConnections(out);
    if (!sameConnections(out)) return false;
    nextLookUs_ = out.monotonicUs + kLookEveryUs;
  }
  return askExactly(out, !lookForConnections);
}

bool Collector::askExactly(Snapshot& out, bool withConnections) {
  if (withConnections) out.connections.resize(known_.connections.size());
  out.subflows.resize(known_.subflows.size());
  const size_t connections = withConnections ? known_.connections.size() : 0;
  const size_t total = connections + known_.subflows.size();
  for (size_t from = 0; from < total; from += kBatch) {
    batch_.clear();
    const size_t to = std::min(total, from + kBatch);
    const uint32_t base = sequence_ + 1;
    for (size_t i = from; i < to; ++i) {
      if (i < connections) {
        batch_.addMptcpExact(++sequence_, known_.connections[i].token());
      } else {
        batch_.addTcpExact(++sequence_, known_.subflows[i - connections]);
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
        const Connection& before = known_.connections[index];
        allThere =
            connection.hasToken() && connection.cookie == before.cookie && sameCounts(connection, before);
      } else {
        Subflow& subflow = out.subflows[index - connections];
        decodeTcpSocket(item.payload, subflow);
        const Subflow& before = known_.subflows[index - connections];
        allThere = subflow.cookie == before.cookie && subflow.hasToken && subflow.token == before.token;
      }
    });
    if (!complete) socket_.drain();
    if (!allThere || !complete) return false;
  }
  return true;
}

}  // namespace mpd
