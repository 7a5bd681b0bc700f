// Walks netlink attributes (type, length, value) with every length checked.
#pragma once

#include <linux/netlink.h>

#include <cstring>
#include <string>

#include "decode.h"

namespace mpd {

struct Attribute {
  uint16_t type;
  Bytes value;
};

/** Calls `visit` for each attribute; throws Failure NETLINK if one does not fit into `bytes`. */
template <typename Visit>
void forEachAttribute(Bytes bytes, Visit&& visit) {
  while (!bytes.empty()) {
    nlattr header;
    if (bytes.size() < sizeof header) {
      throw Failure("NETLINK", "malformed inet_diag bytes: " + std::to_string(bytes.size()) +
                                   " bytes where an attribute should begin");
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.nla_len < sizeof header || header.nla_len > bytes.size()) {
      throw Failure("NETLINK", "malformed inet_diag bytes: attribute " + std::to_string(header.nla_type) +
                                   " of length " + std::to_string(header.nla_len));
    }
    visit(Attribute{static_cast<uint16_t>(header.nla_type & NLA_TYPE_MASK),
                    bytes.subspan(sizeof header, header.nla_len - sizeof header)});
    bytes = bytes.subspan(std::min(bytes.size(), static_cast<size_t>(NLA_ALIGN(header.nla_len))));
  }
}

}  // namespace mpd
