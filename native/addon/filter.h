// Selects sockets for a caller, in user space and, if expressible, in the kernel.
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
 * inet_diag bytecode that passes sockets whose remote end is one of `remotes`; empty for no remotes. The
 * kernel's inet_diag_bc_audit accepts it: jump targets lie on the chain of `yes` jumps.
 */
std::vector<uint8_t> remoteBytecode(const std::vector<Endpoint>& remotes);

/**
 * Filters the TCP sockets of a dump. A connection is filtered by its own ends and owner, and takes all its
 * subflows with it. A path to another address of the same server belongs to the connection too. Other sockets
 * are filtered individually, if requested at all.
 */
class SubflowSorter {
 public:
  /** `connections`: those that passed the filter; must outlive the sorter, like the filter. */
  SubflowSorter(const Filter& filter, const std::vector<Connection>& connections);
  bool keeps(const Subflow& subflow);
  /** Throws Failure ULP_INFO_DENIED if the kernel withheld the connection of the subflows. */
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
