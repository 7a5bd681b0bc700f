#include "emulator.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace mpd::link {

namespace {

constexpr std::uint64_t kStdinTag = UINT64_MAX;
constexpr std::uint64_t kSignalTag = UINT64_MAX - 1;
constexpr std::uint64_t kTimerTag = UINT64_MAX - 2;
constexpr std::size_t kMaxLineBytes = 8'192;
constexpr std::size_t kMaxLinks = 256;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// Whole lines or nothing: a reader that has gone ends the process through stdin or SIGPIPE.
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
  printLine(R"({"type":"ready"})");
  std::array<epoll_event, 64> events{};
  for (;;) {
    armTimer();
    const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
    if (count < 0 && errno != EINTR) checked(count, "epoll_wait");
    for (int i = 0; i < count; i += 1) {
      if (!handle(events[static_cast<std::size_t>(i)].data.u64)) return 0;
    }
    for (const auto& link : links_) link->advance(monotonicNowNs());
    if (monotonicNowNs() >= nextStatsNs_) {
      nextStatsNs_ = monotonicNowNs() + statsIntervalNs_;
      if (stdoutHasRoom()) reportStats();
    }
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
  if (nextNs == armedNs_) return;
  armedNs_ = nextNs;
  itimerspec spec{};
  if (nextNs != kNever) {
    spec.it_value.tv_sec = static_cast<time_t>(nextNs / 1'000'000'000);
    spec.it_value.tv_nsec = static_cast<long>(nextNs % 1'000'000'000);
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
  if (link.readFrom(end, buffer_)) return true;
  // The device was deleted or its namespace ended: a dead descriptor would wake us for ever.
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
  if (std::holds_alternative<ShowStats>(command)) return reportStats();
  if (const auto* const interval = std::get_if<SetStatsInterval>(&command)) {
    statsIntervalNs_ = interval->intervalMs * 1'000'000;
    nextStatsNs_ = statsIntervalNs_ == 0 ? kNever : monotonicNowNs() + statsIntervalNs_;
  } else if (const auto* const set = std::get_if<SetLink>(&command)) {
    find(set->name).apply(*set, monotonicNowNs());
  } else if (const auto* const added = std::get_if<AddLink>(&command)) {
    add(*added);
  }
  printLine(R"({"type":"reply","ok":true})");
}

void Emulator::add(const AddLink& command) {
  if (links_.size() >= kMaxLinks) throw CommandError("name", "would be one link too many (256)");
  for (const auto& link : links_) {
    if (link->name() == command.config.name) {
      throw CommandError("name", "is taken: " + command.config.name);
    }
  }
  links_.push_back(std::make_unique<Link>(command.config));
  const std::uint64_t tag = (links_.size() - 1) * 2;
  watch(links_.back()->fd(0), tag);
  watch(links_.back()->fd(1), tag + 1);
}

void Emulator::reportStats() {
  JsonLine json;
  json.open("").text("type", "stats").number("monotonicUs", monotonicNowNs() / 1'000);
  json.open("links", '[');
  for (const auto& link : links_) link->report(json);
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
