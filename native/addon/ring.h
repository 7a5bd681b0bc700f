// A bounded queue between one writer and one reader. It keeps the newest items and counts the dropped ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace mpd {

/**
 * Items are swapped in and out, never copied, so the memory of old items is reused. The lock is held for
 * swaps only, so neither side waits long for the other.
 */
template <typename T>
class Ring {
 public:
  explicit Ring(size_t capacity) : slots_(capacity) {}

  /** Inserts `item` and returns an old item in its place; overwrites the oldest when full. */
  void push(T& item) {
    const std::lock_guard lock(mutex_);
    std::swap(slots_[(first_ + size_) % slots_.size()], item);
    if (size_ < slots_.size()) {
      ++size_;
    } else {
      first_ = (first_ + 1) % slots_.size();
      ++lost_;
    }
  }

  /** Swaps all items, oldest first, into the front of `out` (grown as needed); returns their number. */
  size_t drain(std::vector<T>& out) {
    const std::lock_guard lock(mutex_);
    if (out.size() < size_) out.resize(size_);
    const size_t drained = size_;
    for (size_t i = 0; i < drained; ++i) std::swap(out[i], slots_[(first_ + i) % slots_.size()]);
    first_ = (first_ + drained) % slots_.size();
    size_ = 0;
    return drained;
  }

  uint64_t lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<T> slots_;
  size_t first_ = 0;
  size_t size_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace mpd
