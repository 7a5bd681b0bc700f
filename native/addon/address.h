// Conversion between textual addresses, Endpoint and sockaddr.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>

#include "model.h"

namespace mpd {

std::string addressText(const Endpoint& endpoint);

/** Numeric IPv4 or IPv6 only; a v4-mapped address becomes IPv4. */
std::optional<Endpoint> parseAddress(const std::string& text, uint16_t port);

struct SocketName {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

/** Like parseAddress, but for connect and bind: accepts a scope (`fe80::1%eth0`). */
std::optional<SocketName> parseSocketName(const std::string& text, uint16_t port);

}  // namespace mpd
