// inet_diag answers about MPTCP connections, up to the records for JavaScript.
#include "../addon/decode.h"
#include "../addon/pack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<mpd::Snapshot> snapshots(1);
  try {
    mpd::decodeCapture({data, size}, mpd::Protocol::kMptcp, snapshots[0]);
  } catch (const mpd::Failure&) {
    // Malformed, and reported as such.
  }
  for (const mpd::Connection& connection : snapshots[0].connections) {
    if (!connection.hasToken()) __builtin_trap();
  }
  mpd::Packer packer(snapshots);
  if (packer.numbers().empty()) __builtin_trap();
  return 0;
}
