#include "sequence_recorder.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>

#include "command_error.h"
#include "mptcp_options.h"

namespace mpd::link {

SequenceRecorder::SequenceRecorder(const std::string& file)
    : name_(file), file_(std::fopen(file.c_str(), "we")) {
  if (!file_) throw CommandError("record", "cannot write " + file + ": " + std::strerror(errno));
}

void SequenceRecorder::finish() {
  // A write that failed before left its mark in the stream; closing writes the rest.
  const bool failed = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) == 0 && !failed) return;
  throw CommandError("record", "is incomplete, a write to the file failed: " + name_);
}

void SequenceRecorder::entered(std::string_view link, int direction, const Packet& packet, TimeNs nowNs) {
  record(link, direction, "in", packet, nowNs);
}

void SequenceRecorder::left(std::string_view link, int direction, const Packet& packet, TimeNs nowNs) {
  record(link, direction, "out", packet, nowNs);
}

void SequenceRecorder::record(std::string_view link, int direction, const char* place, const Packet& packet,
                              TimeNs nowNs) {
  const ConstBytes bytes = packet.bytes();
  const std::optional<PacketView> view = viewPacket(bytes);
  const std::optional<TcpView> tcp = view ? viewTcp(bytes, *view) : std::nullopt;
  if (!tcp) return;
  const bool isSyn = (tcp->flags & kSyn) != 0;
  const std::optional<DataSequenceSignal> signal = readDataSequenceSignal(bytes, *tcp);
  if (!signal && !isSyn) return;
  std::fprintf(file_.get(), "%" PRIu64 " %.*s %s %s %u %u %u %zu ", nowNs / 1'000,
               static_cast<int>(link.size()), link.data(), direction == 0 ? "ab" : "ba", place,
               load16(bytes, tcp->at), load16(bytes, tcp->at + 2), load32(bytes, tcp->at + 4),
               tcp->payloadBytes);
  if (signal && signal->dataAck) {
    std::fprintf(file_.get(), "%" PRIu64 " ", *signal->dataAck);
  } else {
    std::fputs("- ", file_.get());
  }
  if (signal && signal->mapping) {
    const DataMapping& mapping = *signal->mapping;
    std::fprintf(file_.get(), "%" PRIu64 ":%u:%u\n", mapping.dataSeq, mapping.subflowSeq, mapping.length);
  } else {
    std::fputs(isSyn ? "syn\n" : "-\n", file_.get());
  }
}

}  // namespace mpd::link
