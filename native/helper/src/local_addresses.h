// This machine's addresses, according to the kernel's routing table.
#pragma once

#include "../../addon/file.h"
#include "../../addon/model.h"

namespace mpd::helper {

class LocalAddresses {
 public:
  /** Throws Failure if the routing table is unavailable. */
  LocalAddresses();
  /** True if packets to that address stay on this machine. Throws Failure. */
  bool has(const Endpoint& address);

 private:
  File socket_;
  uint32_t sequence_ = 0;
};

}  // namespace mpd::helper
