#include "check.h"
#include "droptail_queue.h"
#include "packets.h"

using namespace mpd::link;

TEST("droptail keeps order and gives back every byte") {
  DroptailQueue queue(QueueLimit{.bytes = 10'000});
  for (std::uint8_t id = 0; id < 5; id += 1) CHECK_EQUAL(queue.enqueue(makePacket(1'000, id), 0), 0u);
  CHECK_EQUAL(queue.sizeBytes(), 5'000u);
  std::uint32_t dropped = 0;
  for (int id = 0; id < 5; id += 1) {
    auto packet = queue.dequeue(0, dropped);
    CHECK(packet.has_value());
    CHECK_EQUAL(int{packet->data[0]}, id);
  }
  CHECK(!queue.dequeue(0, dropped).has_value());
  CHECK_EQUAL(queue.sizeBytes(), 0u);
  CHECK_EQUAL(dropped, 0u);
}

TEST("droptail drops the newcomer at the byte limit, and only then") {
  DroptailQueue queue(QueueLimit{.bytes = 3'000});
  CHECK_EQUAL(queue.enqueue(makePacket(1'500, 1), 0), 0u);
  CHECK_EQUAL(queue.enqueue(makePacket(1'500, 2), 0), 0u);
  CHECK_EQUAL(queue.enqueue(makePacket(40, 3), 0), 1u);
  std::uint32_t dropped = 0;
  CHECK_EQUAL(int{queue.dequeue(0, dropped)->data[0]}, 1);
  CHECK_EQUAL(queue.enqueue(makePacket(40, 4), 0), 0u);
  CHECK_EQUAL(queue.clear(), 2u);
  CHECK_EQUAL(queue.sizeBytes(), 0u);
}

TEST("droptail by packets counts packets, whatever their size") {
  DroptailQueue queue(QueueLimit{.packets = 2});
  CHECK_EQUAL(queue.enqueue(makePacket(9'000, 1), 0), 0u);
  CHECK_EQUAL(queue.enqueue(makePacket(9'000, 2), 0), 0u);
  CHECK_EQUAL(queue.enqueue(makePacket(40, 3), 0), 1u);
  CHECK_EQUAL(queue.sizePackets(), 2u);
}
