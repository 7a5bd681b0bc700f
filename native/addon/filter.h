// Which sockets a caller wants, judged in user space and, where it can be said, in the kernel.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "model.h"

namespace mpd {

inline constexpr size_t kMaxFilterEntries = 64;

struct Filter {
  /** Port 0 means any port. Empty: every remote end. */
  std::vector<Endpoint> remotes;
  /** Empty: every owner. */
  std::vector<uint32_t> uids;
  bool includePlainTcp = false;

  bool passes(const Socket& socket) const;
};

/**
 * inet_diag bytecode that passes sockets whose remote end is one of `remotes`; empty for no remotes.
 * See the kernel's inet_diag_bc_audit for what it accepts: targets lie on the chain of `yes` jumps.
 */
std::vector<uint8_t> remoteBytecode(const std::vector<Endpoint>& remotes);

/**
 * Judges the TCP sockets of a dump. A connection is judged by its own ends and owner and takes all its
 * subflows with it: a path to another address of the same server belongs to the connection. Other sockets
 * are judged by themselves, if wanted at all.
 */
class SubflowSorter {
 public:
  /** `connections`: those that passed the filter; must outlive the sorter, like the filter. */
  SubflowSorter(const Filter& filter, const std::vector<Connection>& connections);
  bool keeps(const Subflow& subflow);
  /** Throws Failure ULP_INFO_DENIED when the kernel kept back which connection the subflows belong to. */
  void finish() const;

 private:
  bool isFirstSubflow(const Subflow& subflow) const;

  const Filter& filter_;
  const std::vector<Connection>& connections_;
  std::unordered_set<uint32_t> tokens_;
  bool sawToken_ = false;
  bool sawBareSubflow_ = false;
};

}  // namespace mpd
