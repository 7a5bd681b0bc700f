#include "sequence_recorder.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "check.h"
#include "command_error.h"
#include "mptcp_options.h"
#include "segments.h"

using namespace mpd::link;

namespace {

/// A 64-bit mapping of 1428 bytes with a 64-bit acknowledgement, as Linux sends it.
const std::vector<std::uint8_t> kLong{30, 26, 0x20, 0x0f, 0, 0, 0, 1, 0, 0, 0, 2,    0,
                                      0,  0,  3,    0,    0, 0, 4, 0, 0, 0, 5, 0x05, 0x94};
/// A 32-bit acknowledgement alone.
const std::vector<std::uint8_t> kShort{30, 8, 0x20, 1, 9, 9, 9, 9};

std::optional<DataSequenceSignal> signalOf(std::vector<std::uint8_t> options) {
  const Packet packet = makeTcp({.options = std::move(options), .payloadBytes = 3});
  return readDataSequenceSignal(packet.bytes(), tcpOf(packet));
}

}  // namespace

TEST("data sequence signal: both widths, and nothing of what is cut") {
  const auto full = signalOf(kLong);
  CHECK(full && full->mapping);
  CHECK_EQUAL(*full->dataAck, (1ULL << 32) + 2);
  CHECK_EQUAL(full->mapping->dataSeq, (3ULL << 32) + 4);
  CHECK_EQUAL(full->mapping->subflowSeq, 5u);
  CHECK_EQUAL(full->mapping->length, 1428u);
  const auto ack = signalOf(kShort);
  CHECK(ack && !ack->mapping);
  CHECK_EQUAL(*ack->dataAck, 0x09090909u);
  for (std::uint8_t size = 3; size < kLong.size(); size += 1) {
    std::vector<std::uint8_t> cut(kLong.begin(), kLong.begin() + size);
    cut[1] = size;
    CHECK(!signalOf(cut));
  }
  CHECK(!signalOf({2, 4, 5, 180}));
}

TEST("sequence recorder: a line for data, acknowledgements and SYN, none for other packets") {
  const std::string file = "/tmp/mpd-sequence-recorder-test-" + std::to_string(getpid());
  {
    SequenceRecorder recorder(file);
    recorder.entered("path1", 1, makeTcp({.sequence = 77, .options = kLong, .payloadBytes = 3}), 5'000);
    recorder.left("path1", 0, makeTcp({.options = kShort}), 6'000);
    recorder.entered("path2", 0, makeTcp({.flags = kSyn}), 7'000);
    recorder.entered("path2", 0, makeTcp({.payloadBytes = 9}), 8'000);
    recorder.entered("path2", 0, makeUdp({}), 9'000);
    recorder.finish();
  }
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::remove(file.c_str());
  CHECK(text.str() ==
        "5 path1 ba in 40000 80 77 3 4294967298 12884901892:5:1428\n"
        "6 path1 ab out 40000 80 1000 0 151587081 -\n"
        "7 path2 ab in 40000 80 1000 0 - syn\n");
  bool refused = false;
  try {
    SequenceRecorder("/nowhere/at/all");
  } catch (const CommandError& error) {
    refused = error.field() == "record";
  }
  CHECK(refused);
}

TEST("sequence recorder: a file that cannot hold its lines is incomplete") {
  SequenceRecorder recorder("/dev/full");
  recorder.entered("path1", 0, makeTcp({.options = kLong, .payloadBytes = 3}), 5'000);
  recorder.left("path1", 0, makeTcp({.options = kLong, .payloadBytes = 3}), 6'000);
  bool refused = false;
  try {
    recorder.finish();
  } catch (const CommandError& error) {
    refused = error.field() == "record";
  }
  CHECK(refused);
}
