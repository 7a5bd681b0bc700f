#include "guardian.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <type_traits>

namespace mpd::helper {
namespace {

static_assert(std::is_trivially_copyable_v<Change>);

/** Reads until the other end closes; returns its last report. */
std::vector<Change> listen(int socket) {
  std::vector<Change> last;
  std::vector<Change> buffer(Controller::kMaxChanges);
  for (;;) {
    const ssize_t length = recv(socket, buffer.data(), buffer.size() * sizeof(Change), 0);
    if (length < 0 && errno == EINTR) continue;
    // An empty message is indistinguishable from the end: an empty report is one byte.
    if (length <= 0) return last;
    last.assign(buffer.begin(), buffer.begin() + static_cast<ssize_t>(length / sizeof(Change)));
  }
}

}  // namespace

Guardian::Guardian(const Undo& undo) {
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
    const std::vector<Change> left = listen(theirs.fd());
    if (!left.empty()) undo(left);
  } catch (const std::exception&) {
    // Nobody reads it.
  }
  _exit(0);
}

void Guardian::report(const std::vector<Change>& changes) const {
  const char nothing = 0;
  const ssize_t sent =
      changes.empty() ? send(socket_.fd(), &nothing, sizeof nothing, MSG_NOSIGNAL)
                      : send(socket_.fd(), changes.data(), changes.size() * sizeof(Change), MSG_NOSIGNAL);
  if (sent < 0) throw Failure("failed", "nobody would undo this: the second process has ended");
}

}  // namespace mpd::helper
