// Runs a function inside another network namespace without moving the calling thread.
#pragma once

#include <functional>
#include <string>

namespace mpd {

/**
 * Calls `work` on a short-lived thread that has entered the namespace `name` (under /run/netns, or a path if
 * it contains a slash). An empty name calls it on this thread. Throws Failure NETNS_UNAVAILABLE, or the
 * exception of `work`.
 */
void inNetworkNamespace(const std::string& name, const std::function<void()>& work);

}  // namespace mpd
