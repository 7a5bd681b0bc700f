// Addresses announced by the other ends of connections, learnt from the path manager's events. Pure.
#pragma once

#include <deque>
#include <vector>

#include "path_manager.h"

namespace mpd::helper {

class Announcements {
 public:
  static constexpr size_t kMaxConnections = 64;
  static constexpr size_t kMaxAddresses = 8;

  void hear(const PmEvent& event);
  /** True if that address, with that port and id, was announced to the connection and not withdrawn. */
  bool has(uint32_t token, const PmEndpoint& remote) const;

 private:
  struct Entry {
    uint32_t token;
    std::vector<PmEndpoint> remotes;
  };
  /** The oldest first: it is forgotten at the limit. */
  std::deque<Entry> entries_;
};

}  // namespace mpd::helper
