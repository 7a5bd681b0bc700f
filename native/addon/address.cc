#include "address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cstring>

#include "decode.h"

namespace mpd {

std::string addressText(const Endpoint& endpoint) {
  char text[INET6_ADDRSTRLEN];
  inet_ntop(endpoint.v6 ? AF_INET6 : AF_INET, endpoint.address.data(), text, sizeof text);
  return text;
}

std::optional<Endpoint> parseAddress(const std::string& text, uint16_t port) {
  std::array<uint8_t, 16> bytes{};
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, text.c_str(), bytes.data()) == 1) {
      return makeEndpoint(static_cast<uint8_t>(family), bytes.data(), htons(port));
    }
  }
  return std::nullopt;
}

std::optional<SocketName> parseSocketName(const std::string& text, uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(text.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return std::nullopt;
  SocketName name;
  std::memcpy(&name.storage, found->ai_addr, found->ai_addrlen);
  name.length = found->ai_addrlen;
  freeaddrinfo(found);
  return name;
}

}  // namespace mpd
