#include "announcements.h"

#include <algorithm>

namespace mpd::helper {

void Announcements::hear(const PmEvent& event) {
  if (!event.hasToken) return;
  auto found = std::ranges::find(entries_, event.token, &Entry::token);
  if (event.command == kEventClosed) {
    if (found != entries_.end()) entries_.erase(found);
    return;
  }
  if (event.command == kEventRemoved && found != entries_.end()) {
    std::erase_if(found->remotes, [&](const PmEndpoint& item) { return item.id == event.remoteId; });
  }
  if (event.command != kEventAnnounced || !event.remote) return;
  if (found == entries_.end()) {
    if (entries_.size() == kMaxConnections) entries_.pop_front();
    entries_.push_back({event.token, {}});
    found = std::prev(entries_.end());
  }
  // An id stands for one address: the newest.
  std::erase_if(found->remotes, [&](const PmEndpoint& item) { return item.id == event.remoteId; });
  if (found->remotes.size() < kMaxAddresses) found->remotes.push_back({event.remoteId, *event.remote});
}

bool Announcements::has(uint32_t token, const PmEndpoint& remote) const {
  const auto found = std::ranges::find(entries_, token, &Entry::token);
  return found != entries_.end() && std::ranges::any_of(found->remotes, [&](const PmEndpoint& item) {
           return item.id == remote.id && item.address == remote.address;
         });
}

}  // namespace mpd::helper
