#include "emulator.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

namespace mpd::link {

namespace {

constexpr std::uint64_t kStdinTag = UINT64_MAX;
constexpr std::uint64_t kSignalTag = UINT64_MAX - 1;
constexpr std::uint64_t kTimerTag = UINT64_MAX - 2;
/// A wake-up costs as much as delivering several packets.
constexpr TimeNs kMinSleepNs = 100'000;
constexpr std::size_t kMaxLineBytes = 8'192;
constexpr std::size_t kMaxLinks = 256;
constexpr std::size_t kMaxTraces = 1'024;
constexpr std::size_t kMaxTraceSteps = 1'000'000;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// Writes whole lines or nothing: a closed output ends the process through stdin or SIGPIPE.
void printLine(const std::string& json) {
  const std::string line = json + "\n";
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t written = write(STDOUT_FILENO, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

bool stdoutHasRoom() {
  pollfd poller{STDOUT_FILENO, POLLOUT, 0};
  return poll(&poller, 1, 0) == 1 && (poller.revents & POLLOUT) != 0;
}

}  // namespace

Emulator::Emulator()
    : epoll_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      timer_(checked(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "timerfd_create")) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  checked(sigprocmask(SIG_BLOCK, &set, nullptr), "sigprocmask");
  signals_ = FileDescriptor(checked(signalfd(-1, &set, SFD_CLOEXEC), "signalfd"));
  watch(signals_.get(), kSignalTag);
  watch(timer_.get(), kTimerTag);
  watch(STDIN_FILENO, kStdinTag);
}

int Emulator::run() {
  serve();
  try {
    finishRecord();
    return 0;
  } catch (const CommandError& error) {
    std::fprintf(stderr, "mpd-link: %s %s\n", error.field().c_str(), error.what());
    return 1;
  }
}

void Emulator::finishRecord() {
  const std::unique_ptr<SequenceRecorder> recorder = std::move(recorder_);
  if (recorder) recorder->finish();
}

void Emulator::serve() {
  printLine(R"({"type":"ready"})");
  std::array<epoll_event, 64> events{};
  for (;;) {
    armTimer();
    const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
    if (count < 0 && errno != EINTR) checked(count, "epoll_wait");
    for (int i = 0; i < count; i += 1) {
      if (!handle(events[static_cast<std::size_t>(i)].data.u64)) return;
    }
    wokenNs_ = monotonicNowNs();
    for (const auto& link : links_) link->advance(monotonicNowNs(), recorder_.get());
    if (monotonicNowNs() >= nextStatsNs_) reportPeriodically();
  }
}

void Emulator::watch(int fd, std::uint64_t tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  checked(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
}

void Emulator::armTimer() {
  TimeNs nextNs = nextStatsNs_;
  for (const auto& link : links_) nextNs = std::min(nextNs, link->nextEventNs());
  // At a high packet rate packets leave in small groups; their computed times stay ideal.
  nextNs = std::max(nextNs, wokenNs_ + kMinSleepNs);
  if (nextNs == armedNs_) return;
  armedNs_ = nextNs;
  itimerspec spec{};
  if (nextNs != kNever) {
    spec.it_value.tv_sec = static_cast<time_t>(nextNs / kSecond);
    spec.it_value.tv_nsec = static_cast<long>(nextNs % kSecond);
  }
  checked(timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &spec, nullptr), "timerfd_settime");
}

bool Emulator::handle(std::uint64_t tag) {
  if (tag == kSignalTag) return false;
  if (tag == kStdinTag) return readCommands();
  if (tag == kTimerTag) {
    std::uint64_t expirations = 0;
    if (read(timer_.get(), &expirations, sizeof expirations) > 0) armedNs_ = kNever;
    return true;
  }
  Link& link = *links_[tag / 2];
  const int end = static_cast<int>(tag % 2);
  if (link.readFrom(end, buffer_, recorder_.get())) return true;
  // The device was deleted or its namespace ended: a closed descriptor would wake the loop forever.
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, link.fd(end), nullptr);
  JsonLine json;
  json.open("").text("type", "error").text("link", link.name());
  json.text("error", std::string(end == 0 ? "a.dev" : "b.dev") + " is gone").close();
  printLine(json.str());
  return true;
}

bool Emulator::readCommands() {
  char chunk[4'096];
  const ssize_t size = read(STDIN_FILENO, chunk, sizeof chunk);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (size <= 0) return false;
  pendingInput_.append(chunk, static_cast<std::size_t>(size));
  std::size_t newline = 0;
  while ((newline = pendingInput_.find('\n')) != std::string::npos) {
    const std::string line = pendingInput_.substr(0, newline);
    pendingInput_.erase(0, newline + 1);
    runLine(line);
  }
  if (pendingInput_.size() > kMaxLineBytes) {
    std::fprintf(stderr, "mpd-link: a command is longer than %zu bytes\n", kMaxLineBytes);
    return false;
  }
  return true;
}

void Emulator::runLine(std::string_view line) {
  try {
    execute(parseCommand(line));
  } catch (const CommandError& error) {
    JsonLine json;
    json.open("").text("type", "reply").boolean("ok", false);
    json.text("field", error.field()).text("error", error.what()).close();
    printLine(json.str());
  }
}

void Emulator::execute(const Command& command) {
  if (std::holds_alternative<ShowStats>(command)) return reportStats(Audience::kAsked);
  if (const auto* const interval = std::get_if<SetStatsInterval>(&command)) {
    statsIntervalNs_ = interval->intervalMs * kMs;
    nextStatsNs_ = statsIntervalNs_ == 0 ? kNever : monotonicNowNs() + statsIntervalNs_;
  } else if (const auto* const set = std::get_if<SetLink>(&command)) {
    apply(find(set->name), *set);
  } else if (const auto* const append = std::get_if<AppendTrace>(&command)) {
    appendTrace(*append);
  } else if (const auto* const record = std::get_if<RecordSequence>(&command)) {
    finishRecord();
    if (!record->file.empty()) recorder_ = std::make_unique<SequenceRecorder>(record->file);
  } else if (const auto* const added = std::get_if<AddLink>(&command)) {
    add(*added);
  }
  printLine(R"({"type":"reply","ok":true})");
}

void Emulator::add(const AddLink& command) {
  if (links_.size() >= kMaxLinks)
    throw CommandError("name", "is one too many: at most " + std::to_string(kMaxLinks) + " links");
  for (const auto& link : links_) {
    if (link->name() == command.config.name) {
      throw CommandError("name", "is taken: " + command.config.name);
    }
  }
  for (const DirectionChange& change : command.start.changes) traceOf(change);
  links_.push_back(std::make_unique<Link>(command.config));
  const std::uint64_t tag = (links_.size() - 1) * 2;
  watch(links_.back()->fd(0), tag);
  watch(links_.back()->fd(1), tag + 1);
  apply(*links_.back(), command.start);
}

void Emulator::apply(Link& link, const SetLink& set) {
  const std::shared_ptr<const RateTrace> traces[2] = {traceOf(set.changes[0]), traceOf(set.changes[1])};
  link.apply(set, traces, monotonicNowNs());
}

void Emulator::appendTrace(const AppendTrace& command) {
  if (!traces_.contains(command.name) && traces_.size() >= kMaxTraces) {
    throw CommandError("name", "is one too many: at most " + std::to_string(kMaxTraces) + " traces");
  }
  std::shared_ptr<RateTrace>& trace = traces_[command.name];
  if (!trace) trace = std::make_shared<RateTrace>();
  // Only this map refers to the trace, so no link can be following it.
  if (trace.use_count() > 1) throw CommandError("name", "is a trace in use: " + command.name);
  if (trace->size() + command.steps.size() > kMaxTraceSteps) {
    throw CommandError(
        "step", "is one too many: at most " + std::to_string(kMaxTraceSteps) + " of trace " + command.name);
  }
  for (const TraceStep& step : command.steps) trace->append(step);
}

std::shared_ptr<const RateTrace> Emulator::traceOf(const DirectionChange& change) const {
  if (!change.trace || change.trace->name.empty()) return nullptr;
  const auto found = traces_.find(change.trace->name);
  if (found == traces_.end()) throw CommandError("trace", "is not known: " + change.trace->name);
  if (!found->second->hasCapacity()) {
    throw CommandError("trace", "has no step with a rate above 0: " + change.trace->name);
  }
  return found->second;
}

void Emulator::reportPeriodically() {
  // A slow reader loses reports; the spacing of the others stays.
  const TimeNs nowNs = monotonicNowNs();
  nextStatsNs_ += ((nowNs - nextStatsNs_) / statsIntervalNs_ + 1) * statsIntervalNs_;
  if (stdoutHasRoom()) reportStats(Audience::kPeriodic);
}

void Emulator::reportStats(Audience audience) {
  const TimeNs nowNs = monotonicNowNs();
  JsonLine json;
  json.open("").text("type", audience == Audience::kAsked ? "stats" : "sample");
  json.number("monotonicUs", nowNs / 1'000).open("links", '[');
  for (const auto& link : links_) {
    // An idle link has not advanced its trace for a while.
    link->advance(nowNs, recorder_.get());
    link->report(json, audience);
  }
  json.close(']').close();
  printLine(json.str());
}

Link& Emulator::find(const std::string& name) {
  for (const auto& link : links_) {
    if (link->name() == name) return *link;
  }
  throw CommandError("name", "is not a link: " + name);
}

}  // namespace mpd::link
