// Records the kernel's answers: inet_diag dumps of this network namespace, or MPTCP_FULL_INFO of a socket
// (used by record.sh to make testdata/).
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../addon/diag_socket.h"
#include "../addon/sockets.h"

namespace {

std::vector<uint8_t> capture(bool mptcp) {
  mpd::DiagSocket socket("");
  mpd::RequestBatch request;
  if (!mptcp) {
    request.addTcpDump(1, {});
    return socket.captureDump(request);
  }
  std::vector<uint8_t> all;
  for (const uint8_t family : {AF_INET, AF_INET6}) {
    request.clear();
    request.addMptcpDump(1, family, {});
    const auto part = socket.captureDump(request);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/** MPTCP_FULL_INFO of another process's socket, in the layout of fuzz/fuzz-full-info.cc. */
std::vector<uint8_t> captureFullInfo(int pid, int fd) {
  constexpr size_t kMost = 8;
  const mpd::File file = mpd::duplicateFrom(pid, fd);
  std::vector<mpd::wire::SubflowInfo> subflows(kMost);
  std::vector<mpd::wire::TcpInfo> infos(kMost);
  mpd::wire::FullInfo full{};
  full.sizeTcpInfoUser = sizeof infos[0];
  full.sizeSubflowInfoUser = sizeof subflows[0];
  full.sizeArraysUser = kMost;
  full.subflowInfo = reinterpret_cast<uintptr_t>(subflows.data());
  full.tcpInfo = reinterpret_cast<uintptr_t>(infos.data());
  socklen_t length = sizeof full;
  if (getsockopt(file.fd(), mpd::wire::kSolMptcp, mpd::wire::kOptFullInfo, &full, &length) != 0) {
    throw mpd::Failure("NETLINK", "MPTCP_FULL_INFO", errno);
  }
  const size_t count = std::min<size_t>(full.numSubflows, kMost);
  const uint16_t head[] = {static_cast<uint16_t>(count * sizeof subflows[0]), sizeof subflows[0],
                           sizeof infos[0], static_cast<uint16_t>(full.sizeTcpInfoKernel),
                           static_cast<uint16_t>(1 | count << 8)};
  std::vector<uint8_t> all;
  const auto append = [&](const void* from, size_t size) {
    all.insert(all.end(), static_cast<const uint8_t*>(from), static_cast<const uint8_t*>(from) + size);
  };
  append(head, sizeof head);
  append(subflows.data(), count * sizeof subflows[0]);
  append(infos.data(), count * sizeof infos[0]);
  return all;
}

bool save(const std::vector<uint8_t>& bytes, const char* path) {
  std::FILE* file = std::fopen(path, "wb");
  const bool written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (file != nullptr && std::fclose(file) == 0 && written) return true;
  std::perror(path);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (argc == 3 && what == "tcp") return save(capture(false), argv[2]) ? 0 : 1;
    if (argc == 3 && what == "mptcp") return save(capture(true), argv[2]) ? 0 : 1;
    if (argc == 5 && what == "full-info") {
      return save(captureFullInfo(std::atoi(argv[2]), std::atoi(argv[3])), argv[4]) ? 0 : 1;
    }
  } catch (const mpd::Failure& failure) {
    std::fprintf(stderr, "record: %s: %s\n", failure.code(), failure.what());
    return 1;
  }
  std::fprintf(stderr, "usage: record tcp|mptcp FILE\n       record full-info PID FD FILE\n");
  return 2;
}
