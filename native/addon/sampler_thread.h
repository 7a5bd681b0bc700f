// Takes snapshots on a separate thread, on a fixed schedule of the monotonic clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "file.h"
#include "model.h"
#include "ring.h"

namespace mpd {

struct SamplerCounts {
  uint64_t taken = 0;
  uint64_t read = 0;
  uint64_t lost = 0;
  uint64_t failed = 0;
  double totalCpuUs = 0;
  std::optional<Failure> lastError;
};

class SamplerThread {
 public:
  /** Fills a snapshot whose memory is reused; throws Failure. Called on the sampling thread only. */
  using Source = std::function<void(Snapshot&)>;
  /** Called on the sampling thread after each snapshot. */
  using Notify = std::function<void()>;

  SamplerThread(int64_t periodUs, size_t capacity, Source source, Notify notify);
  ~SamplerThread() { stop(); }

  /** No effect while running. */
  void start();
  /** Waits for the thread to end; no effect when stopped. */
  void stop();
  /**
   * Swaps the pending snapshots, oldest first, into the front of `out`; returns their number. One reader
   * only.
   */
  size_t read(std::vector<Snapshot>& out);
  SamplerCounts counts() const;

 private:
  void run();
  /** False after a request to stop. */
  bool sleepUntil(int64_t deadlineUs) const;

  const int64_t periodUs_;
  const Source source_;
  const Notify notify_;
  Ring<Snapshot> ring_;
  mutable std::mutex countsMutex_;
  SamplerCounts counts_;
  File stopEvent_;
  std::thread thread_;
};

}  // namespace mpd
