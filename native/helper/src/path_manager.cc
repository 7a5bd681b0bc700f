#include "path_manager.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "../../addon/attributes.h"

namespace mpd::helper {
namespace {

// MPTCP_PM_CMD_* (linux/mptcp_pm.h).
constexpr uint8_t kAddAddress = 1, kDeleteAddress = 2, kGetAddress = 3, kSetFlags = 7;
constexpr uint8_t kRemove = 9, kSubflowCreate = 10, kSubflowDestroy = 11, kVersion = 1;
constexpr char kFamilyName[] = "mptcp_pm";
constexpr char kEventGroup[] = "mptcp_pm_events";
constexpr size_t kReceiveBytes = 64 * 1024;
/** Events returned at a time, so that requests are served in between. */
constexpr int kMaxEventReads = 64;

Failure failed(const std::string& what, int error) {
  return Failure("NETLINK", what + ": " + strerror(error), error);
}

File openGeneric() {
  File file(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC));
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (!file.valid() || connect(file.fd(), reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) != 0) {
    throw failed("generic netlink", errno);
  }
  return file;
}

/** One generic netlink socket that sends a request and waits for the answer. */
class Requests {
 public:
  Requests() : file_(openGeneric()) {
    const timeval timeout{2, 0};
    setsockopt(file_.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  }

  /** Sends and reads until the acknowledgement, or the end of the dump. */
  template <typename OnAttributes>
  void request(uint16_t type, uint8_t command, uint16_t flags, const std::vector<uint8_t>& attributes,
               OnAttributes&& onAttributes) {
    std::vector<uint8_t> bytes(NLMSG_HDRLEN + GENL_HDRLEN);
    bytes.insert(bytes.end(), attributes.begin(), attributes.end());
    const nlmsghdr header{static_cast<uint32_t>(bytes.size()), type,
                          static_cast<uint16_t>(NLM_F_REQUEST | flags), ++sequence_, 0};
    const genlmsghdr generic{command, kVersion, 0};
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + NLMSG_HDRLEN, &generic, sizeof generic);
    if (send(file_.fd(), bytes.data(), bytes.size(), 0) < 0) throw failed("path manager", errno);
    for (;;) {
      const ssize_t length = recv(file_.fd(), buffer_.data(), buffer_.size(), MSG_TRUNC);
      if (length < 0) throw failed("path manager", errno);
      if (static_cast<size_t>(length) > buffer_.size()) throw failed("path manager", EMSGSIZE);
      DiagReader reader(Bytes(buffer_.data(), static_cast<size_t>(length)));
      DiagItem item;
      while (reader.next(item)) {
        if (item.sequence != sequence_) continue;
        if (item.error != 0) throw failed("the kernel refused", item.error);
        if (item.kind == DiagItem::Kind::kDone || item.kind == DiagItem::Kind::kError) return;
        if (item.payload.size() >= GENL_HDRLEN) onAttributes(item.payload.subspan(GENL_HDRLEN));
      }
    }
  }

 private:
  File file_;
  uint32_t sequence_ = 0;
  std::array<uint8_t, kReceiveBytes> buffer_;
};

struct Family {
  uint16_t id = 0;
  uint32_t eventGroup = 0;
};

/** The number of the group called kEventGroup; 0 for another group. */
uint32_t groupOf(Bytes group) {
  uint32_t id = 0;
  bool named = false;
  forEachAttribute(group, [&](const Attribute& attribute) {
    if (attribute.type == CTRL_ATTR_MCAST_GRP_ID && attribute.value.size() == sizeof id) {
      std::memcpy(&id, attribute.value.data(), sizeof id);
    }
    if (attribute.type == CTRL_ATTR_MCAST_GRP_NAME && attribute.value.size() == sizeof kEventGroup) {
      named = std::memcmp(attribute.value.data(), kEventGroup, sizeof kEventGroup) == 0;
    }
  });
  return named ? id : 0;
}

Family findFamily(Requests& requests) {
  std::vector<uint8_t> name;
  const nlattr header{sizeof(nlattr) + sizeof kFamilyName, CTRL_ATTR_FAMILY_NAME};
  name.resize(NLMSG_ALIGN(header.nla_len));
  std::memcpy(name.data(), &header, sizeof header);
  std::memcpy(name.data() + sizeof header, kFamilyName, sizeof kFamilyName);
  Family family;
  requests.request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK, name, [&](Bytes attributes) {
    forEachAttribute(attributes, [&](const Attribute& attribute) {
      if (attribute.type == CTRL_ATTR_FAMILY_ID && attribute.value.size() == sizeof family.id) {
        std::memcpy(&family.id, attribute.value.data(), sizeof family.id);
      }
      if (attribute.type != CTRL_ATTR_MCAST_GROUPS) return;
      forEachAttribute(attribute.value, [&](const Attribute& group) {
        if (const uint32_t id = groupOf(group.value)) family.eventGroup = id;
      });
    });
  });
  if (family.id == 0) throw Failure("NETLINK", "this kernel has no mptcp_pm");
  return family;
}

class KernelPathManager : public PathManager {
 public:
  KernelPathManager() : family_(findFamily(requests_).id) {}

  std::vector<PmEndpoint> list() override {
    std::vector<PmEndpoint> out;
    requests_.request(family_, kGetAddress, NLM_F_DUMP, {}, [&](Bytes attributes) {
      PmEndpoint endpoint;
      if (decodeEndpoint(attributes, endpoint)) out.push_back(endpoint);
    });
    return out;
  }
  void add(const PmEndpoint& endpoint) override { change(kAddAddress, encodeEndpoint(endpoint)); }
  void remove(const PmEndpoint& endpoint) override { change(kDeleteAddress, encodeEndpoint(endpoint)); }
  void setFlags(const PmEndpoint& endpoint) override { change(kSetFlags, encodeEndpoint(endpoint)); }
  bool hasInterface(uint32_t index) override {
    char name[IF_NAMESIZE];
    return if_indextoname(index, name) != nullptr;
  }
  void createSubflow(const SubflowEnds& ends) override { change(kSubflowCreate, encodeSubflow(ends)); }
  void destroySubflow(const SubflowEnds& ends) override { change(kSubflowDestroy, encodeSubflow(ends)); }
  void removeAddress(uint32_t token, uint8_t id) override { change(kRemove, encodeRemoval(token, id)); }
  void setSubflowFlags(const SubflowEnds& ends) override { change(kSetFlags, encodeSubflow(ends)); }

 private:
  void change(uint8_t command, const std::vector<uint8_t>& attributes) {
    requests_.request(family_, command, NLM_F_ACK, attributes, [](Bytes) {});
  }

  Requests requests_;
  uint16_t family_;
};

class KernelPmEvents : public PmEvents {
 public:
  KernelPmEvents() : file_(openGeneric()) {
    Requests requests;
    const Family family = findFamily(requests);
    family_ = family.id;
    if (family.eventGroup == 0) throw Failure("NETLINK", "this kernel has no mptcp_pm_events");
    if (setsockopt(file_.fd(), SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &family.eventGroup,
                   sizeof family.eventGroup) != 0) {
      throw failed("path manager events", errno);
    }
  }

  int fd() const override { return file_.fd(); }

  bool read(const OnEvent& onEvent) override {
    for (int reads = 0; reads < kMaxEventReads; ++reads) {
      const ssize_t length = recv(file_.fd(), buffer_.data(), buffer_.size(), MSG_TRUNC | MSG_DONTWAIT);
      if (length < 0 && (errno == EAGAIN || errno == EINTR)) return true;
      if (length < 0 && errno == ENOBUFS) return false;
      if (length < 0) throw failed("path manager events", errno);
      if (static_cast<size_t>(length) > buffer_.size()) return false;
      handOut(Bytes(buffer_.data(), static_cast<size_t>(length)), onEvent);
    }
    return true;
  }

 private:
  void handOut(Bytes bytes, const OnEvent& onEvent) {
    while (bytes.size() >= NLMSG_HDRLEN) {
      nlmsghdr header;
      std::memcpy(&header, bytes.data(), sizeof header);
      if (header.nlmsg_len < NLMSG_HDRLEN || header.nlmsg_len > bytes.size()) return;
      const Bytes payload = bytes.subspan(NLMSG_HDRLEN, header.nlmsg_len - NLMSG_HDRLEN);
      if (header.nlmsg_type == family_ && payload.size() >= GENL_HDRLEN) {
        onEvent(payload[0], payload.subspan(GENL_HDRLEN));
      }
      bytes = bytes.subspan(std::min(bytes.size(), static_cast<size_t>(NLMSG_ALIGN(header.nlmsg_len))));
    }
  }

  File file_;
  uint16_t family_ = 0;
  std::array<uint8_t, kReceiveBytes> buffer_;
};

}  // namespace

std::unique_ptr<PathManager> openPathManager() {
  return std::make_unique<KernelPathManager>();
}

std::unique_ptr<PmEvents> openPmEvents() {
  return std::make_unique<KernelPmEvents>();
}

}  // namespace mpd::helper
