// Records raw inet_diag answers of this network namespace: record tcp|mptcp FILE
// (used by record.sh to make testdata/).
#include <cstdio>
#include <cstring>

#include "../addon/diag_socket.h"

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

}  // namespace

int main(int argc, char** argv) {
  const bool mptcp = argc == 3 && std::strcmp(argv[1], "mptcp") == 0;
  if (argc != 3 || (!mptcp && std::strcmp(argv[1], "tcp") != 0)) {
    std::fprintf(stderr, "usage: record tcp|mptcp FILE\n");
    return 2;
  }
  try {
    const auto bytes = capture(mptcp);
    std::FILE* file = std::fopen(argv[2], "wb");
    const bool written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (file == nullptr || std::fclose(file) != 0 || !written) {
      std::perror(argv[2]);
      return 1;
    }
  } catch (const mpd::Failure& failure) {
    std::fprintf(stderr, "record: %s: %s\n", failure.code(), failure.what());
    return 1;
  }
  return 0;
}
