// mpd-congestion PID NAME: sets the congestion control of every listening TCP or MPTCP socket of a process. A
// namespace's default must be listed in net.ipv4.tcp_allowed_congestion_control of the initial namespace. A
// socket only needs CAP_NET_ADMIN over its own namespace. Accepted connections, and the subflows that join
// them, inherit the setting from the listener.

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "file_descriptor.h"

using mpd::link::FileDescriptor;

namespace {

int fail(const char* what) {
  std::fprintf(stderr, "mpd-congestion: %s: %s\n", what, std::strerror(errno));
  return 1;
}

int option(int fd, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  return getsockopt(fd, SOL_SOCKET, name, &value, &length) == 0 ? value : -1;
}

bool isTcpListener(int fd) {
  const int protocol = option(fd, SO_PROTOCOL);
  return option(fd, SO_ACCEPTCONN) == 1 && (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view pidText = argc == 3 ? argv[1] : "";
  pid_t pid = 0;
  const auto parsed = std::from_chars(pidText.data(), pidText.data() + pidText.size(), pid);
  if (parsed.ec != std::errc{} || parsed.ptr != pidText.data() + pidText.size() || pid <= 0) {
    std::fputs("usage: mpd-congestion PID NAME\n", stderr);
    return 2;
  }
  const std::string_view name = argv[2];
  const FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (process.get() < 0) return fail("pidfd_open");
  const std::string directory = "/proc/" + std::string(pidText) + "/fd";
  DIR* const entries = opendir(directory.c_str());
  if (entries == nullptr) return fail(directory.c_str());
  int count = 0;
  int result = 0;
  int refusal = 0;
  while (const dirent* const entry = readdir(entries)) {
    if (entry->d_name[0] == '.') continue;
    const int number = std::atoi(entry->d_name);
    const FileDescriptor copy(static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), number, 0)));
    // EBADF: the process closed it meanwhile.
    if (copy.get() < 0 && errno != EBADF) refusal = errno;
    if (copy.get() < 0 || !isTcpListener(copy.get())) continue;
    if (setsockopt(copy.get(), IPPROTO_TCP, TCP_CONGESTION, name.data(),
                   static_cast<socklen_t>(name.size())) != 0) {
      result = fail("TCP_CONGESTION");
    }
    count += 1;
  }
  closedir(entries);
  if (count == 0 && refusal != 0) {
    errno = refusal;
    return fail("pidfd_getfd");
  }
  if (count == 0) {
    std::fputs("mpd-congestion: the process has no TCP listener\n", stderr);
    return 1;
  }
  std::printf("%d\n", count);
  return result;
}
