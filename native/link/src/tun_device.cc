#include "tun_device.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/ipv6.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace mpd::link {

namespace {

constexpr const char* kTunPath = "/dev/net/tun";

/// `struct virtio_net_hdr` of linux/virtio_net.h, which is not valid C++: it precedes every packet, in host
/// byte order.
struct VirtioHeader {
  std::uint8_t flags;
  std::uint8_t segmentation;
  std::uint16_t headerBytes;
  std::uint16_t segmentBytes;
  std::uint16_t checksumStart;
  std::uint16_t checksumOffset;
};
static_assert(sizeof(VirtioHeader) == 10);
constexpr std::uint8_t kNeedsChecksum = 1;
constexpr std::uint8_t kSegmentTcp4 = 1;
constexpr std::uint8_t kSegmentTcp6 = 4;

std::string errorText(int error) {
  return std::strerror(error);
}

/// Moves the thread into a namespace for the life of the object.
class NamespaceVisit {
 public:
  NamespaceVisit(const std::string& path, const std::string& field) {
    if (path.empty()) return;
    home_ = FileDescriptor(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    const FileDescriptor there(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (there.get() < 0) {
      throw CommandError(field, "cannot open " + path + ": " + errorText(errno));
    }
    if (home_.get() < 0 || setns(there.get(), CLONE_NEWNET) != 0) {
      throw CommandError(field, "cannot enter " + path + ": " + errorText(errno));
    }
    away_ = true;
  }
  ~NamespaceVisit() {
    // A process that continued in the wrong namespace would create later devices there.
    if (away_ && setns(home_.get(), CLONE_NEWNET) != 0) std::abort();
  }
  NamespaceVisit(const NamespaceVisit&) = delete;
  NamespaceVisit& operator=(const NamespaceVisit&) = delete;

 private:
  FileDescriptor home_;
  bool away_ = false;
};

std::string openHint(int error) {
  if (error == EACCES || error == EPERM) {
    return std::string("; let this user open it: sudo chmod 666 ") + kTunPath;
  }
  if (error == ENOENT || error == ENODEV || error == ENXIO) {
    return "; load the driver: sudo modprobe tun";
  }
  return "";
}

/// Runs an interface ioctl; throws on failure, with the operation.
void request(int socketFd, unsigned long code, void* argument, const std::string& field,
             const std::string& what) {
  if (ioctl(socketFd, code, argument) != 0) {
    throw CommandError(field, "cannot " + what + ": " + errorText(errno));
  }
}

ifreq requestFor(const std::string& device) {
  ifreq request{};
  std::memcpy(request.ifr_name, device.c_str(), device.size());
  return request;
}

void setAddress4(int socketFd, const EndConfig& end, const std::string& field) {
  ifreq addressRequest = requestFor(end.device);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, end.address->text.c_str(), &address.sin_addr);
  std::memcpy(&addressRequest.ifr_addr, &address, sizeof address);
  request(socketFd, SIOCSIFADDR, &addressRequest, field, "set the address");

  ifreq maskRequest = requestFor(end.device);
  const int prefix = end.address->prefixLength;
  address.sin_addr.s_addr = prefix == 0 ? 0 : htonl(~std::uint32_t{0} << (32 - prefix));
  std::memcpy(&maskRequest.ifr_netmask, &address, sizeof address);
  request(socketFd, SIOCSIFNETMASK, &maskRequest, field, "set the prefix length");
}

void setAddress6(int interfaceIndex, const EndConfig& end, const std::string& field) {
  const FileDescriptor socket6(socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  in6_ifreq addressRequest{};
  inet_pton(AF_INET6, end.address->text.c_str(), &addressRequest.ifr6_addr);
  addressRequest.ifr6_prefixlen = end.address->prefixLength;
  addressRequest.ifr6_ifindex = interfaceIndex;
  request(socket6.get(), SIOCSIFADDR, &addressRequest, field, "set the address");
}

}  // namespace

TunDevice::TunDevice(const EndConfig& end, std::uint32_t mtu, char side) {
  const std::string prefix(1, side);
  const std::string deviceField = prefix + ".dev";
  const NamespaceVisit visit(end.netns, prefix + ".netns");

  fd_ = FileDescriptor(open(kTunPath, O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (fd_.get() < 0) {
    const int error = errno;
    throw CommandError(deviceField,
                       std::string("cannot open ") + kTunPath + ": " + errorText(error) + openHint(error));
  }
  ifreq create = requestFor(end.device);
  create.ifr_flags = static_cast<short>(IFF_TUN | IFF_NO_PI | IFF_TUN_EXCL | IFF_VNET_HDR);
  request(fd_.get(), TUNSETIFF, &create, deviceField, "create interface " + end.device);

  // Offload: fewer and larger packets through the kernel, cut here (super_packet.h). A kernel without it
  // sends single packets.
  ioctl(fd_.get(), TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN);

  const FileDescriptor control(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq mtuRequest = requestFor(end.device);
  mtuRequest.ifr_mtu = static_cast<int>(mtu);
  request(control.get(), SIOCSIFMTU, &mtuRequest, "mtu", "set the MTU");

  // A short queue in the kernel may drop packets before our queue gets a burst. In a user namespace the ioctl
  // is refused, and the default of 500 packets remains.
  ifreq queueRequest = requestFor(end.device);
  queueRequest.ifr_qlen = 4'000;
  ioctl(control.get(), SIOCSIFTXQLEN, &queueRequest);

  ifreq flags = requestFor(end.device);
  request(control.get(), SIOCGIFFLAGS, &flags, deviceField, "read the flags");
  flags.ifr_flags |= IFF_UP;
  request(control.get(), SIOCSIFFLAGS, &flags, deviceField, "bring up " + end.device);

  if (!end.address) return;
  if (end.address->family == AF_INET) {
    setAddress4(control.get(), end, prefix + ".addr");
  } else {
    ifreq index = requestFor(end.device);
    request(control.get(), SIOCGIFINDEX, &index, deviceField, "read the index");
    setAddress6(index.ifr_ifindex, end, prefix + ".addr");
  }
}

int TunDevice::read(std::span<std::uint8_t> buffer, Offload& offload) const {
  VirtioHeader header{};
  const iovec parts[2] = {{&header, sizeof header}, {buffer.data(), buffer.size()}};
  const ssize_t size = readv(fd_.get(), parts, 2);
  if (size < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  offload = {};
  if (header.segmentation != 0) offload.segmentBytes = header.segmentBytes;
  if ((header.flags & kNeedsChecksum) != 0) {
    offload.checksumStart = header.checksumStart;
    offload.checksumOffset = header.checksumOffset;
  }
  return static_cast<int>(size - static_cast<ssize_t>(sizeof header));
}

int TunDevice::write(PacketMerger& merged) const {
  const std::vector<ConstBytes>& pieces = merged.pieces();
  const Offload& offload = merged.offload();
  VirtioHeader header{};
  if (offload.checksumStart != 0) {
    header.flags = kNeedsChecksum;
    header.checksumStart = offload.checksumStart;
    header.checksumOffset = offload.checksumOffset;
  }
  if (offload.segmentBytes != 0) {
    header.segmentation = merged.isIpv6() ? kSegmentTcp6 : kSegmentTcp4;
    header.segmentBytes = offload.segmentBytes;
    header.headerBytes = merged.headerBytes();
  }
  iovec parts[kMaxPieces + 1] = {{&header, sizeof header}};
  for (std::size_t i = 0; i < pieces.size(); i += 1) {
    parts[i + 1] = {const_cast<std::uint8_t*>(pieces[i].data()), pieces[i].size()};
  }
  return writev(fd_.get(), parts, static_cast<int>(pieces.size() + 1)) < 0 ? -errno : 0;
}

int TunDevice::setCarrier(bool on) const {
  int carrier = on ? 1 : 0;
  return ioctl(fd_.get(), TUNSETCARRIER, &carrier) != 0 ? -errno : 0;
}

}  // namespace mpd::link
