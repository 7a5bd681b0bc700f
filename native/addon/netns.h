// Runs something inside another network namespace without moving the calling thread.
#pragma once

#include <functional>
#include <string>

namespace mpd {

/**
 * Calls `work` on a short-lived thread that has entered the namespace `name` (under /run/netns, or a path
 * when it holds a slash); an empty name calls it here. Throws Failure NETNS_UNAVAILABLE, or what `work`
 * throws.
 */
void inNetworkNamespace(const std::string& name, const std::function<void()>& work);

}  // namespace mpd
