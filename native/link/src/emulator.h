#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "link.h"

namespace mpd::link {

/// The process: one thread, any number of links, commands on stdin, JSON lines on stdout.
class Emulator {
 public:
  Emulator();

  /// Runs until stdin ends or SIGTERM or SIGINT arrives. Returns the exit code: 1 if a record
  /// is incomplete.
  int run();

 private:
  void serve();
  /// @throws CommandError if the record is incomplete
  void finishRecord();
  void watch(int fd, std::uint64_t tag);
  void armTimer();
  bool handle(std::uint64_t tag);
  bool readCommands();
  void runLine(std::string_view line);
  void execute(const Command& command);
  void add(const AddLink& command);
  void apply(Link& link, const SetLink& set);
  void appendTrace(const AppendTrace& command);
  /// The trace a change names, if any. @throws CommandError for an unknown name
  std::shared_ptr<const RateTrace> traceOf(const DirectionChange& change) const;
  void reportStats(Audience audience);
  void reportPeriodically();
  Link& find(const std::string& name);

  FileDescriptor epoll_;
  FileDescriptor timer_;
  FileDescriptor signals_;
  std::vector<std::unique_ptr<Link>> links_;
  std::map<std::string, std::shared_ptr<RateTrace>> traces_;
  std::unique_ptr<SequenceRecorder> recorder_;
  std::string pendingInput_;
  TimeNs armedNs_ = kNever;
  /// Time of the last delivery of packets.
  TimeNs wokenNs_ = 0;
  TimeNs nextStatsNs_ = kNever;
  TimeNs statsIntervalNs_ = 0;
  std::array<std::uint8_t, 65'536> buffer_{};
};

}  // namespace mpd::link
