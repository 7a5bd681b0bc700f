// mpd-pathctl: the only part of multipath-dash with a privilege. README.md lists the requests it accepts and
// refuses.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "../../addon/file.h"
#include "controller.h"
#include "guardian.h"
#include "local_addresses.h"
#include "privileges.h"
#include "subflow_controller.h"

namespace {

using namespace mpd;
using namespace mpd::helper;

constexpr int kWriteTimeoutMs = 2000;
constexpr size_t kChunk = 4096;  // POLLOUT guarantees this much room in a pipe.

/** Becomes readable when this process must end. */
File endSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return File(signalfd(-1, &set, SFD_CLOEXEC));
}

/** False after the reader has closed. */
bool say(const std::string& text, int signals) {
  for (size_t sent = 0; sent < text.size();) {
    pollfd wait[] = {{STDOUT_FILENO, POLLOUT, 0}, {signals, POLLIN, 0}};
    if (poll(wait, 2, kWriteTimeoutMs) <= 0 || wait[1].revents != 0) return false;
    const ssize_t written = write(STDOUT_FILENO, text.data() + sent, std::min(kChunk, text.size() - sent));
    if (written <= 0) return false;
    sent += static_cast<size_t>(written);
  }
  return true;
}

ControllerOptions policyFor(uint32_t callerUid, const IsLocal& isLocal) {
  return {useByConnections(callerUid, isLocal), isLocal, lendsEndpoints()};
}

/** Restores what a killed first process changed; runs in the second process. */
Guardian::Undo undoFor(uint32_t callerUid) {
  const auto addresses = std::make_shared<LocalAddresses>();
  const std::shared_ptr<PathManager> kernel = openPathManager();
  const ControllerOptions policy =
      policyFor(callerUid, [addresses](const Endpoint& at) { return addresses->has(at); });
  return [callerUid, kernel, policy](Changes changes) {
    SubflowController subflows(*kernel, ownConnectionsOf(callerUid), [] {});
    subflows.adopt(std::move(changes.backups));
    subflows.restore();
    Controller endpoints(*kernel, policy);
    endpoints.adopt(std::move(changes.endpoints));
    endpoints.restore();
  };
}

/** State of the service for the caller. */
class Service {
 public:
  Service(uint32_t callerUid, int signals)
      : guardian_([callerUid] { return undoFor(callerUid); }),
        kernel_(openPathManager()),
        endpoints_(*kernel_, endpointPolicy(callerUid)),
        subflows_(
            *kernel_, ownConnectionsOf(callerUid), [this] { events_ = openPmEvents(); },
            [this](const std::vector<BackupSubflow>& backups) { guardian_.report(backups); }),
        signals_(signals) {}
  /** Every exit from the service restores all changes. */
  ~Service() {
    subflows_.restore();
    endpoints_.restore();
  }

  /** Runs until the end of the input, a signal, or the reader's close. Throws Failure. */
  void serve() {
    while (going_) {
      pollfd wait[] = {{STDIN_FILENO, POLLIN, 0},
                       {signals_, POLLIN, 0},
                       {events_ ? events_->fd() : -1, POLLIN, 0},
                       {guardian_.fd(), POLLIN, 0}};
      if (poll(wait, std::size(wait), -1) < 0) {
        if (errno == EINTR) continue;
        throw Failure("POLL", std::string("poll: ") + strerror(errno), errno);
      }
      if (wait[1].revents != 0) return;
      if (wait[3].revents != 0) throw Failure("GUARDIAN", "the second process has ended");
      if (wait[2].revents != 0) passEvents();
      if (wait[0].revents != 0) takeRequests();
    }
  }

 private:
  ControllerOptions endpointPolicy(uint32_t callerUid) {
    ControllerOptions options =
        policyFor(callerUid, [this](const Endpoint& at) { return addresses_.has(at); });
    options.onChanges = [this](const std::vector<Change>& changes) { guardian_.report(changes); };
    return options;
  }

  void reply(const std::string& text) { going_ = going_ && (text.empty() || say(text, signals_)); }

  void takeRequests() {
    char bytes[kChunk];
    const ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);
    if (length <= 0) going_ = false;
    if (length <= 0) return;
    lines_.feed({bytes, static_cast<size_t>(length)}, [&](std::optional<std::string_view> line) {
      if (!going_) return;
      const auto request = line ? parseRequest(*line) : std::nullopt;
      reply(request ? handle(*request) : "0 error malformed request\n");
    });
  }

  std::string handle(const Request& request) {
    if (request.verb == Verb::kRestore) subflows_.restore();
    return isOfConnections(request.verb) ? subflows_.handle(request) : endpoints_.handle(request);
  }

  void passEvents() {
    try {
      const bool whole = events_->read(
          [&](uint8_t command, Bytes attributes) { reply(subflows_.hear(command, attributes)); });
      if (!whole) reply(kEventsLost);
    } catch (const Failure&) {
      // Requests are still served.
      events_.reset();
      reply(kEventsLost);
    }
  }

  // Must be the first member: the second process then inherits none of the others' descriptors.
  Guardian guardian_;
  LocalAddresses addresses_;
  std::unique_ptr<PathManager> kernel_;
  std::unique_ptr<PmEvents> events_;
  Controller endpoints_;
  SubflowController subflows_;
  LineReader lines_;
  int signals_;
  bool going_ = true;
};

}  // namespace

int main(int argc, char**) {
  try {
    if (argc != 1) throw Failure("USAGE", "takes no arguments; requests come on stdin");
    // The sockets below would otherwise get closed standard descriptors.
    for (int fd = 0; fd <= 2; ++fd) {
      if (fcntl(fd, F_GETFD) < 0) return 1;
    }
    syscall(SYS_close_range, 3u, ~0u, 0u);
    const uint32_t uid = keepOnlyNetAdmin();
    const File signals = endSignals();
    const auto service = std::make_unique<Service>(uid, signals.fd());
    service->serve();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpd-pathctl: %s\n", error.what());
    return 1;
  }
}
