// inet_diag answers about TCP sockets, up to the records for JavaScript.
#include "../addon/decode.h"
#include "../addon/filter.h"
#include "../addon/pack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<mpd::Snapshot> snapshots(1);
  try {
    mpd::decodeCapture({data, size}, mpd::Protocol::kTcp, snapshots[0]);
  } catch (const mpd::Failure&) {
    // Malformed, and reported as such.
  }
  mpd::Filter filter;
  filter.includePlainTcp = true;
  mpd::SubflowSorter sorter(filter, snapshots[0].connections);
  for (const mpd::Subflow& subflow : snapshots[0].subflows) sorter.keeps(subflow);
  mpd::Packer packer(snapshots);
  if (packer.numbers().empty()) __builtin_trap();
  return 0;
}
