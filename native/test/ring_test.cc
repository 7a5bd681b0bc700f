#include "../addon/ring.h"

#include <deque>
#include <random>
#include <thread>

#include "check.h"

namespace mpd {
namespace {

TEST(ring_behaves_like_a_queue_that_drops_its_oldest) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const size_t capacity = 1 + random() % 8;
    Ring<int> ring(capacity);
    std::deque<int> model;
    uint64_t lost = 0;
    std::vector<int> out;
    for (int step = 0; step < 100; ++step) {
      if (random() % 5 != 0) {
        int item = step;
        ring.push(item);
        model.push_back(step);
        if (model.size() > capacity) {
          model.pop_front();
          ++lost;
        }
      } else {
        const size_t count = ring.drain(out);
        CHECK(std::vector<int>(out.begin(), out.begin() + static_cast<ptrdiff_t>(count)) ==
              std::vector<int>(model.begin(), model.end()));
        model.clear();
      }
      CHECK(ring.lost() == lost);
    }
  }
}

TEST(ring_between_two_threads_keeps_order_and_counts_every_item) {
  constexpr int kItems = 20000;
  Ring<std::vector<int>> ring(16);
  std::thread writer([&] {
    std::vector<int> item;
    for (int i = 1; i <= kItems; ++i) {
      item.assign(3, i);
      ring.push(item);
    }
  });
  std::vector<std::vector<int>> out;
  int last = 0;
  uint64_t read = 0;
  while (last < kItems) {
    const size_t count = ring.drain(out);
    read += count;
    for (size_t i = 0; i < count; ++i) {
      CHECK(out[i].size() == 3 && out[i][0] > last && out[i][2] == out[i][0]);
      last = out[i][0];
    }
  }
  writer.join();
  CHECK(read + ring.lost() == kItems);
}

TEST(ring_reuses_memory_instead_of_allocating) {
  Ring<std::vector<int>> ring(2);
  std::vector<std::vector<int>> out;
  std::vector<int> item;
  for (int round = 0; round < 8; ++round) {
    item.assign(100, round);
    ring.push(item);
    item.clear();
    ring.drain(out);
  }
  CHECK(item.capacity() >= 100);
}

}  // namespace
}  // namespace mpd
