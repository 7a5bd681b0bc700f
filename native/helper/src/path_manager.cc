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

constexpr uint8_t kAddAddress = 1, kDeleteAddress = 2, kGetAddress = 3, kSetFlags = 7, kVersion = 1;
constexpr char kFamilyName[] = "mptcp_pm";
constexpr size_t kReceiveBytes = 64 * 1024;

Failure failed(const std::string& what, int error) {
  return Failure("NETLINK", what + ": " + strerror(error), error);
}

class KernelPathManager : public PathManager {
 public:
  KernelPathManager() : file_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)) {
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (!file_.valid() || connect(file_.fd(), reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) != 0) {
      throw failed("generic netlink", errno);
    }
    const timeval timeout{2, 0};
    setsockopt(file_.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    std::vector<uint8_t> name;
    const nlattr header{sizeof(nlattr) + sizeof kFamilyName, CTRL_ATTR_FAMILY_NAME};
    name.resize(NLMSG_ALIGN(header.nla_len));
    std::memcpy(name.data(), &header, sizeof header);
    std::memcpy(name.data() + sizeof header, kFamilyName, sizeof kFamilyName);
    uint16_t family = 0;
    request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK, name, [&](Bytes attributes) {
      forEachAttribute(attributes, [&](const Attribute& attribute) {
        if (attribute.type == CTRL_ATTR_FAMILY_ID && attribute.value.size() == sizeof family) {
          std::memcpy(&family, attribute.value.data(), sizeof family);
        }
      });
    });
    if (family == 0) throw Failure("NETLINK", "this kernel has no mptcp_pm");
    family_ = family;
  }

  std::vector<PmEndpoint> list() override {
    std::vector<PmEndpoint> out;
    request(family_, kGetAddress, NLM_F_DUMP, {}, [&](Bytes attributes) {
      PmEndpoint endpoint;
      if (decodeEndpoint(attributes, endpoint)) out.push_back(endpoint);
    });
    return out;
  }
  void add(const PmEndpoint& endpoint) override { change(kAddAddress, endpoint); }
  void remove(const PmEndpoint& endpoint) override { change(kDeleteAddress, endpoint); }
  void setFlags(const PmEndpoint& endpoint) override { change(kSetFlags, endpoint); }
  bool hasInterface(uint32_t index) override {
    char name[IF_NAMESIZE];
    return if_indextoname(index, name) != nullptr;
  }

 private:
  void change(uint8_t command, const PmEndpoint& endpoint) {
    request(family_, command, NLM_F_ACK, encodeEndpoint(endpoint), [](Bytes) {});
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

  File file_;
  uint16_t family_ = 0;
  uint32_t sequence_ = 0;
  std::array<uint8_t, kReceiveBytes> buffer_;
};

}  // namespace

std::unique_ptr<PathManager> openPathManager() {
  return std::make_unique<KernelPathManager>();
}

}  // namespace mpd::helper
