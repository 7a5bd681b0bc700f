// Probes the capabilities that this kernel grants this user.
#pragma once

#include <cstdint>
#include <string>

namespace mpd {

struct Capabilities {
  bool mptcp = false;
  bool mptcpDiag = false;
  bool ulpInfo = false;
  std::string ulpInfoReason;
  bool fullInfo = false;
  uint32_t tcpInfoLength = 0;
  uint32_t mptcpInfoLength = 0;
};

Capabilities probeCapabilities();

}  // namespace mpd
