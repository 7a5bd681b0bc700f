#include "sampler_thread.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "collector.h"

namespace mpd {

SamplerThread::SamplerThread(int64_t periodUs, size_t capacity, Source source, Notify notify)
    : periodUs_(periodUs), source_(std::move(source)), notify_(std::move(notify)), ring_(capacity) {}

void SamplerThread::start() {
  if (thread_.joinable()) return;
  stopEvent_ = File(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stopEvent_.valid()) throw Failure("NETLINK", std::string("eventfd: ") + strerror(errno), errno);
  // Signals belong to the threads of the host program; the new thread inherits the mask.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw Failure("NETLINK", std::string("cannot start the sampling thread: ") + error.what(),
                  error.code().value());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void SamplerThread::stop() {
  if (!thread_.joinable()) return;
  eventfd_write(stopEvent_.fd(), 1);
  thread_.join();
  stopEvent_ = File();
}

size_t SamplerThread::read(std::vector<Snapshot>& out) {
  const size_t count = ring_.drain(out);
  const std::lock_guard lock(countsMutex_);
  counts_.read += count;
  return count;
}

SamplerCounts SamplerThread::counts() const {
  const uint64_t lost = ring_.lost();
  const std::lock_guard lock(countsMutex_);
  SamplerCounts counts = counts_;
  counts.lost = lost;
  return counts;
}

void SamplerThread::run() {
  pthread_setname_np(pthread_self(), "mptcp-sampler");
  Snapshot scratch;
  int64_t deadlineUs = monotonicUs();
  do {
    std::optional<Failure> failure;
    try {
      source_(scratch);
    } catch (const Failure& caught) {
      failure = caught;
    } catch (const std::exception& caught) {
      failure = Failure("NETLINK", caught.what());
    }
    {
      const std::lock_guard lock(countsMutex_);
      if (failure) {
        ++counts_.failed;
        counts_.lastError = failure;
      } else {
        ++counts_.taken;
        counts_.totalCpuUs += scratch.cpuUs;
      }
    }
    if (!failure) ring_.push(scratch);
    notify_();
    // Past instants are skipped, so that the schedule keeps its phase.
    const int64_t lateUs = monotonicUs() - deadlineUs;
    deadlineUs += (lateUs / periodUs_ + 1) * periodUs_;
  } while (sleepUntil(deadlineUs));
}

bool SamplerThread::sleepUntil(int64_t deadlineUs) const {
  for (;;) {
    const int64_t leftUs = std::max<int64_t>(0, deadlineUs - monotonicUs());
    const timespec left{leftUs / 1'000'000, leftUs % 1'000'000 * 1000};
    pollfd event{stopEvent_.fd(), POLLIN, 0};
    if (ppoll(&event, 1, &left, nullptr) > 0) return false;
    if (leftUs == 0) return true;
  }
}

}  // namespace mpd
