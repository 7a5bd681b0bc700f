#include "diag_socket.h"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "netns.h"

namespace mpd {
namespace {

constexpr size_t kDumpBytes = 64 * 1024;  // Netlink builds parts of at most 32 KiB.
constexpr size_t kAnswerBytes = 4096;     // An exact answer is about 600 bytes.
constexpr size_t kAnswersAtOnce = 64;
constexpr int kReceiveBufferBytes = 1 << 20;

#ifndef NETLINK_CAP_ACK
#define NETLINK_CAP_ACK 10
#endif

}  // namespace

struct DiagSocket::Buffers {
  alignas(8) std::array<uint8_t, kDumpBytes> dump;
  alignas(8) std::array<std::array<uint8_t, kAnswerBytes>, kAnswersAtOnce> answers;
  std::array<iovec, kAnswersAtOnce> vectors;
  std::array<mmsghdr, kAnswersAtOnce> messages;
};

void DiagSocket::BuffersDeleter::operator()(Buffers* buffers) const {
  delete buffers;
}

DiagSocket::DiagSocket(const std::string& netns) : buffers_(new Buffers) {
  inNetworkNamespace(netns, [&] {
    file_ = File(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
    if (!file_.valid()) {
      throw Failure("NETLINK", std::string("cannot open a sock_diag socket: ") + strerror(errno), errno);
    }
  });
  // A socket connected to the kernel (port 0) receives from no other sender.
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (connect(file_.fd(), reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) != 0) {
    throw Failure("NETLINK", std::string("cannot reach sock_diag: ") + strerror(errno), errno);
  }
  const int on = 1;
  setsockopt(file_.fd(), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on);  // Saves copying; may be unknown.
  if (setsockopt(file_.fd(), SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBufferBytes, sizeof(int)) != 0) {
    setsockopt(file_.fd(), SOL_SOCKET, SO_RCVBUF, &kReceiveBufferBytes, sizeof(int));
  }
  for (size_t i = 0; i < kAnswersAtOnce; ++i) {
    buffers_->vectors[i] = {buffers_->answers[i].data(), kAnswerBytes};
    buffers_->messages[i] = {};
    buffers_->messages[i].msg_hdr.msg_iov = &buffers_->vectors[i];
    buffers_->messages[i].msg_hdr.msg_iovlen = 1;
  }
}

void DiagSocket::send(Bytes bytes) {
  if (::send(file_.fd(), bytes.data(), bytes.size(), 0) < 0) throw kernelError(errno);
}

Bytes DiagSocket::receive() {
  const ssize_t length = recv(file_.fd(), buffers_->dump.data(), kDumpBytes, MSG_TRUNC);
  if (length < 0) throw kernelError(errno);
  if (static_cast<size_t>(length) > kDumpBytes) throw kernelError(EMSGSIZE);
  return {buffers_->dump.data(), static_cast<size_t>(length)};
}

size_t DiagSocket::receiveMany(size_t wanted) {
  const int received = recvmmsg(file_.fd(), buffers_->messages.data(),
                                static_cast<unsigned>(std::min(wanted, kAnswersAtOnce)), 0, nullptr);
  if (received >= 0) return static_cast<size_t>(received);
  if (errno == EAGAIN || errno == ENOBUFS) return 0;
  throw kernelError(errno);
}

Bytes DiagSocket::answer(size_t index) const {
  const mmsghdr& message = buffers_->messages[index];
  if (message.msg_hdr.msg_flags & MSG_TRUNC) throw kernelError(EMSGSIZE);
  return {buffers_->answers[index].data(), message.msg_len};
}

void DiagSocket::drain() {
  for (int tries = 0; tries < 4096; ++tries) {
    if (recv(file_.fd(), buffers_->dump.data(), kDumpBytes, 0) < 0 && errno != ENOBUFS) return;
  }
}

std::vector<uint8_t> DiagSocket::captureDump(const RequestBatch& request) {
  std::vector<uint8_t> all;
  send(request.bytes());
  for (bool done = false; !done;) {
    const Bytes part = receive();
    all.insert(all.end(), part.begin(), part.end());
    DiagReader reader(part);
    DiagItem item;
    while (reader.next(item)) {
      done = done || item.kind == DiagItem::Kind::kDone || item.kind == DiagItem::Kind::kError;
    }
  }
  return all;
}

Failure DiagSocket::kernelError(int error) {
  return Failure("NETLINK", std::string("inet_diag request failed: ") + strerror(error), error);
}

}  // namespace mpd
