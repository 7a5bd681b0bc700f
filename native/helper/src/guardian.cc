#include "guardian.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>

namespace mpd::helper {
namespace {

/** The first byte of a report. The items follow. */
enum Kind : char { kEndpoints = 'e', kBackups = 'b' };

constexpr size_t kLongest = 1 + std::max(Controller::kMaxChanges * sizeof(Change),
                                         SubflowController::kMaxBackups * sizeof(BackupSubflow));

template <typename Item>
std::vector<Item> itemsOf(const std::vector<char>& message, size_t length) {
  static_assert(std::is_trivially_copyable_v<Item>);
  std::vector<Item> items((length - 1) / sizeof(Item));
  if (!items.empty()) memcpy(items.data(), message.data() + 1, items.size() * sizeof(Item));
  return items;
}

template <typename Item>
void sendItems(int socket, Kind kind, const std::vector<Item>& items) {
  std::vector<char> message(1 + items.size() * sizeof(Item), kind);
  if (!items.empty()) memcpy(message.data() + 1, items.data(), items.size() * sizeof(Item));
  // The caller can stop the second process. A request that waited for it would take effect at the caller's
  // moment.
  if (send(socket, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    throw Failure("failed", errno == EAGAIN ? "nobody would undo this: the second process reads no reports"
                                            : "nobody would undo this: the second process has ended");
  }
}

/** Reads until the other end closes; returns its last reports. */
Changes listen(int socket) {
  Changes last;
  std::vector<char> message(kLongest);
  for (;;) {
    const ssize_t length = recv(socket, message.data(), message.size(), 0);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return last;
    const auto size = static_cast<size_t>(length);
    if (message[0] == kEndpoints) last.endpoints = itemsOf<Change>(message, size);
    if (message[0] == kBackups) last.backups = itemsOf<BackupSubflow>(message, size);
  }
}

}  // namespace

Guardian::Guardian(const Prepare& prepare) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Failure("GUARDIAN", std::string("socketpair: ") + strerror(errno), errno);
  }
  socket_ = File(ends[0]);
  File theirs(ends[1]);
  const pid_t child = fork();
  if (child < 0) throw Failure("GUARDIAN", std::string("fork: ") + strerror(errno), errno);
  if (child > 0) return;
  // Signals to the player's process group do not concern this process, and its pipes end with the first
  // process.
  setsid();
  socket_ = File();
  for (int fd = 0; fd <= 2; ++fd) close(fd);
  try {
    const Undo undo = prepare();
    const Changes left = listen(theirs.fd());
    if (!left.endpoints.empty() || !left.backups.empty()) undo(left);
  } catch (const std::exception&) {
    // Nobody reads it.
  }
  _exit(0);
}

void Guardian::report(const std::vector<Change>& endpoints) const {
  sendItems(socket_.fd(), kEndpoints, endpoints);
}

void Guardian::report(const std::vector<BackupSubflow>& backups) const {
  sendItems(socket_.fd(), kBackups, backups);
}

}  // namespace mpd::helper
