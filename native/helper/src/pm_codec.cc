#include <linux/netlink.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

#include "../../addon/attributes.h"
#include "path_manager.h"

namespace mpd::helper {
namespace {

// MPTCP_PM_ATTR_* and MPTCP_ATTR_* (linux/mptcp_pm.h).
constexpr uint16_t kAddress = 1, kToken = 4, kLocalId = 5, kRemoteAddress = 6;
constexpr uint16_t kEventToken = 1, kEventRemoteId = 4, kEventRemote4 = 7, kEventRemote6 = 8,
                   kEventRemotePort = 10;
constexpr uint16_t kFamily = 1, kId = 2, kAddress4 = 3, kAddress6 = 4, kPort = 5, kFlags = 6, kInterface = 7;

void put(std::vector<uint8_t>& out, uint16_t type, const void* value, size_t length) {
  const nlattr header{static_cast<uint16_t>(sizeof(nlattr) + length), type};
  const auto* head = reinterpret_cast<const uint8_t*>(&header);
  const auto* body = static_cast<const uint8_t*>(value);
  out.insert(out.end(), head, head + sizeof header);
  out.insert(out.end(), body, body + length);
  out.resize(NLMSG_ALIGN(out.size()));
}

template <typename T>
T exactly(const Attribute& attribute) {
  T value;
  if (attribute.value.size() != sizeof value) {
    throw Failure("NETLINK", "path manager attribute " + std::to_string(attribute.type) + " of " +
                                 std::to_string(attribute.value.size()) + " bytes");
  }
  std::memcpy(&value, attribute.value.data(), sizeof value);
  return value;
}

void putAddress(std::vector<uint8_t>& out, uint16_t type, const PmEndpoint& endpoint, bool mapped) {
  std::vector<uint8_t> inner;
  const bool asV6 = endpoint.address.v6 || mapped;
  const uint16_t family = asV6 ? AF_INET6 : AF_INET;
  std::array<uint8_t, 16> address = endpoint.address.address;
  if (mapped && !endpoint.address.v6) {
    address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    std::memcpy(address.data() + 12, endpoint.address.address.data(), 4);
  }
  put(inner, kFamily, &family, sizeof family);
  put(inner, kId, &endpoint.id, sizeof endpoint.id);
  put(inner, asV6 ? kAddress6 : kAddress4, address.data(), asV6 ? 16 : 4);
  put(inner, kFlags, &endpoint.flags, sizeof endpoint.flags);
  if (endpoint.address.port != 0) put(inner, kPort, &endpoint.address.port, sizeof(uint16_t));
  if (endpoint.interfaceIndex != 0) put(inner, kInterface, &endpoint.interfaceIndex, sizeof(uint32_t));
  put(out, type | NLA_F_NESTED, inner.data(), inner.size());
}

}  // namespace

std::vector<uint8_t> encodeEndpoint(const PmEndpoint& endpoint) {
  std::vector<uint8_t> out;
  putAddress(out, kAddress, endpoint, false);
  return out;
}

std::vector<uint8_t> encodeSubflow(const SubflowEnds& ends) {
  std::vector<uint8_t> out;
  put(out, kToken, &ends.token, sizeof ends.token);
  putAddress(out, kAddress, ends.local, ends.mapped);
  putAddress(out, kRemoteAddress, ends.remote, ends.mapped);
  return out;
}

std::vector<uint8_t> encodeRemoval(uint32_t token, uint8_t id) {
  std::vector<uint8_t> out;
  put(out, kToken, &token, sizeof token);
  put(out, kLocalId, &id, sizeof id);
  return out;
}

PmEvent decodeEvent(uint8_t command, Bytes attributes) {
  PmEvent event;
  event.command = command;
  uint16_t networkPort = 0;
  const uint8_t* address = nullptr;
  uint8_t family = AF_UNSPEC;
  forEachAttribute(attributes, [&](const Attribute& attribute) {
    switch (attribute.type) {
      case kEventToken:
        event.token = exactly<uint32_t>(attribute);
        event.hasToken = true;
        break;
      case kEventRemoteId:
        event.remoteId = exactly<uint8_t>(attribute);
        break;
      case kEventRemote4:
        exactly<std::array<uint8_t, 4>>(attribute);
        address = attribute.value.data();
        family = AF_INET;
        break;
      case kEventRemote6:
        exactly<std::array<uint8_t, 16>>(attribute);
        address = attribute.value.data();
        family = AF_INET6;
        break;
      case kEventRemotePort:
        networkPort = exactly<uint16_t>(attribute);
        break;
      default:
        break;
    }
  });
  if (address) event.remote = makeEndpoint(family, address, networkPort);
  return event;
}

bool decodeEndpoint(Bytes attributes, PmEndpoint& out) {
  out = PmEndpoint{};
  uint16_t family = 0;
  bool hasAddress = false;
  forEachAttribute(attributes, [&](const Attribute& outer) {
    if (outer.type != kAddress) return;
    forEachAttribute(outer.value, [&](const Attribute& attribute) {
      const auto address = [&](uint8_t addressFamily) {
        const uint16_t port = out.address.port;
        out.address = makeEndpoint(addressFamily, attribute.value.data(), 0);
        out.address.port = port;
        hasAddress = true;
      };
      switch (attribute.type) {
        case kFamily:
          family = exactly<uint16_t>(attribute);
          break;
        case kId:
          out.id = exactly<uint8_t>(attribute);
          break;
        case kAddress4:
          exactly<std::array<uint8_t, 4>>(attribute);
          address(AF_INET);
          break;
        case kAddress6:
          exactly<std::array<uint8_t, 16>>(attribute);
          address(AF_INET6);
          break;
        case kPort:
          out.address.port = exactly<uint16_t>(attribute);
          break;
        case kFlags:
          out.flags = exactly<uint32_t>(attribute);
          break;
        case kInterface:
          out.interfaceIndex = exactly<uint32_t>(attribute);
          break;
        default:
          break;
      }
    });
  });
  return hasAddress && (family == AF_INET || family == AF_INET6);
}

}  // namespace mpd::helper
