#include "use.h"

#include <memory>
#include <unordered_map>

#include "../../addon/collector.h"

namespace mpd::helper {

Use useIn(const Snapshot& snapshot, uint32_t callerUid, const IsLocal& isLocal, const Endpoint& address) {
  Use use;
  std::unordered_map<uint32_t, bool> callers;  // By token.
  for (const Connection& connection : snapshot.connections) {
    if (!connection.hasToken()) continue;
    // A socket without inode has no holder (any more): what another user wrote before closing is still under
    // way.
    if (connection.inode == 0 && (connection.uid == callerUid || connection.uid == 0)) continue;
    // A connection that fell back to TCP gets no subflows, so it neither permits nor prevents an endpoint.
    const bool hasPaths = (connection.info.data.flags & wire::kInfoFallback) == 0;
    const bool own = connection.uid == callerUid;
    if (own && !hasPaths) continue;
    callers.emplace(connection.token(), own);
    use.othersAnywhere |= !own && hasPaths;
  }
  for (const Subflow& subflow : snapshot.subflows) {
    if (!subflow.hasToken) continue;
    // The kernel owns the sockets of subflows; the owner of the connection counts.
    const auto owner = callers.find(subflow.token);
    if (owner == callers.end()) continue;
    const bool here = subflow.local.sameAddress(address);
    if (!owner->second) {
      use.others |= here;
      continue;
    }
    // Any process can connect to its own machine, or start to connect to an address that never answers.
    if (subflow.state != wire::kEstablished || isLocal(subflow.remote)) continue;
    use.callerAnywhere = true;
    use.caller |= here;
  }
  return use;
}

UseOf useByConnections(uint32_t callerUid, IsLocal isLocal) {
  // The socket stays open: the caller can set a limit that prevents another one.
  auto collector = std::make_shared<Collector>("");
  return [callerUid, isLocal = std::move(isLocal), collector](const Endpoint& address) {
    // A filter that is set makes the collector dump all sockets instead of the known ones.
    collector->setFilter({});
    Snapshot snapshot;
    collector->collect(snapshot);
    return useIn(snapshot, callerUid, isLocal, address);
  };
}

}  // namespace mpd::helper
