#include "middlebox.h"
#include <algorithm>
#include <iterator>

#include "check.h"
#include "mptcp_options.h"
#include "random.h"
#include "segments.h"

using namespace mpd::link;

namespace {

const std::vector<std::uint8_t> kMss{2, 4, 5, 180};
const std::vector<std::uint8_t> kCapable{30, 4, 0x01, 0x00};
const std::vector<std::uint8_t> kJoin{30, 12, 0x10, 2, 1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<std::uint8_t> kDss{30, 8, 0x20, 1, 9, 9, 9, 9};
const std::vector<std::uint8_t> kAddAddr{30, 16, 0x30, 3, 10, 0, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8};

std::vector<std::uint8_t> join(std::initializer_list<std::vector<std::uint8_t>> parts) {
  std::vector<std::uint8_t> all;
  for (const auto& part : parts) std::ranges::copy(part, std::back_inserter(all));
  return all;
}

struct Passed {
  int direction;
  Packet packet;
};

std::vector<Passed> pass(Middlebox& box, int direction, Packet packet, TimeNs nowNs = 1) {
  std::vector<Passed> out;
  box.pass(direction, std::move(packet), nowNs, [&](int way, Packet passed) {
    out.push_back({way, std::move(passed)});
  });
  return out;
}

std::vector<std::uint8_t> optionsOf(const Packet& packet) {
  const TcpView tcp = tcpOf(packet);
  const auto options = packet.bytes().subspan(tcp.optionsAt(), tcp.optionsBytes());
  return {options.begin(), options.end()};
}

Middlebox boxOf(const MiddleboxChange& change) {
  Middlebox box;
  box.apply(change);
  return box;
}

MiddleboxChange natChange(const char* address) {
  MiddleboxChange change;
  change.nat.emplace(NatAddress::parse(address));
  return change;
}

MiddleboxChange resetChange(std::uint64_t bytes) {
  MiddleboxChange change;
  change.resetAfterBytes.emplace(bytes);
  return change;
}

constexpr const char* kNat4 = "10.0.0.77";
constexpr const char* kNat6 = "fd00::4d";

}  // namespace

TEST("middlebox: MPTCP options go where asked and nothing else does, checksums stay right") {
  for (const bool isIpv6 : {false, true}) {
    Middlebox box = boxOf({.stripMpCapable = true, .stripMpJoin = true, .dropAddAddr = true});
    // The option is at an odd offset, which must not affect the sums.
    const auto syn = join({{1}, kMss, kCapable, {1}, kJoin});
    auto out = pass(box, 0, makeTcp({.isIpv6 = isIpv6, .flags = kSyn, .options = syn}));
    CHECK_EQUAL(out.size(), 1u);
    auto expected = join({{1}, kMss, std::vector<std::uint8_t>(17, 1)});
    while (expected.size() % 4 != 0) expected.push_back(1);
    CHECK(optionsOf(out[0].packet) == expected);
    CHECK(hasGoodChecksums(out[0].packet));

    const auto data = join({kDss, kAddAddr});
    out = pass(box, 1, makeTcp({.isIpv6 = isIpv6, .options = data, .payloadBytes = 33}));
    CHECK(optionsOf(out[0].packet) == join({kDss, std::vector<std::uint8_t>(16, 1)}));
    CHECK(hasGoodChecksums(out[0].packet));
    CHECK_EQUAL(box.stats().mpCapableStripped, 1u);
    CHECK_EQUAL(box.stats().mpJoinStripped, 1u);
    CHECK_EQUAL(box.stats().addAddrDropped, 1u);
  }
}

TEST("middlebox: joins pass where only MP_CAPABLE goes, and options of later packets stay") {
  Middlebox box = boxOf({.stripMpCapable = true});
  CHECK(optionsOf(pass(box, 0, makeTcp({.flags = kSyn, .options = kJoin}))[0].packet) == kJoin);
  CHECK(optionsOf(pass(box, 0, makeTcp({.flags = kAck, .options = kCapable}))[0].packet) == kCapable);
  box.apply({.stripMpCapable = false});
  CHECK(!box.isActive());
  CHECK(optionsOf(pass(box, 0, makeTcp({.flags = kSyn, .options = kCapable}))[0].packet) == kCapable);
}

TEST("option parser: hostile bytes change nothing outside of the options and break no checksum") {
  SplitMix64 random(5);
  for (int round = 0; round < 20'000; round += 1) {
    std::vector<std::uint8_t> options(random.next() % 41);
    for (auto& byte : options) {
      // Half of the bytes are taken from valid options.
      const std::uint8_t likely[] = {0, 1, 2, 3, 4, 12, 30, 30, 0x10, 0x30, 40, 255};
      const std::uint64_t draw = random.next();
      byte = draw % 2 == 0 ? likely[draw / 2 % 12] : static_cast<std::uint8_t>(draw >> 8);
    }
    while (options.size() % 4 != 0) options.pop_back();
    const Packet before =
        makeTcp({.isIpv6 = round % 2 == 0, .flags = kSyn, .options = options, .payloadBytes = 9});
    Packet after = copyOf(before);
    const TcpView tcp = tcpOf(before);
    for (const auto subtype : {MptcpSubtype::kMpCapable, MptcpSubtype::kMpJoin, MptcpSubtype::kAddAddr}) {
      stripMptcpOption(after.bytes(), tcp, subtype);
      // A stripped option stays stripped.
      CHECK_EQUAL(stripMptcpOption(after.bytes(), tcp, subtype), 0u);
    }
    CHECK(hasGoodChecksums(after));
    for (std::uint32_t at = 0; at < before.sizeBytes; at += 1) {
      const bool isChecksum = at - tcp.at == 16 || at - tcp.at == 17;
      const bool isOption = at >= tcp.optionsAt() && at < tcp.optionsAt() + tcp.optionsBytes();
      if (isChecksum) continue;
      CHECK(after.data[at] == before.data[at] || (isOption && after.data[at] == 1));
    }
  }
}

TEST("middlebox: any bytes at all pass without harm") {
  SplitMix64 random(6);
  for (const char* const address : {kNat4, kNat6}) {
    Middlebox box = boxOf({.stripMpCapable = true, .stripMpJoin = true, .dropAddAddr = true});
    box.apply(natChange(address));
    box.apply(resetChange(10));
    for (int round = 0; round < 20'000; round += 1) {
      Packet packet =
          makeTcp({.isIpv6 = round % 2 == 0, .flags = kSyn, .options = kJoin, .payloadBytes = 20});
      const auto size = static_cast<std::uint32_t>(random.next() % (packet.sizeBytes + 1));
      // An allocation of exactly this size, so that an overrun is detected.
      Packet cut{std::make_unique<std::uint8_t[]>(size), size, 0};
      for (std::uint32_t at = 0; at < size; at += 1) {
        const std::uint64_t draw = random.next();
        cut.data[at] = draw % 8 == 0 ? static_cast<std::uint8_t>(draw >> 8) : packet.data[at];
      }
      pass(box, round % 3 == 0 ? 1 : 0, std::move(cut), static_cast<TimeNs>(round));
    }
  }
}

TEST("NAT: TCP, UDP and echo leave with the address of the NAT and find their way back") {
  for (const bool isIpv6 : {false, true}) {
    Middlebox box = boxOf(natChange(isIpv6 ? kNat6 : kNat4));
    const Segment out{.isIpv6 = isIpv6, .sourcePort = 5'555, .payloadBytes = 11};
    Segment back{.isIpv6 = isIpv6, .source = 2, .destination = 77, .payloadBytes = 11};
    back.sourcePort = 80;
    back.destinationPort = 5'555;
    const std::vector<std::uint8_t> echo{0x12, 0x34, 0, 1, 7, 7, 7};
    const std::uint8_t request = isIpv6 ? 128 : 8;
    const std::uint8_t reply = isIpv6 ? 129 : 0;
    for (int kind = 0; kind < 3; kind += 1) {
      auto gone = pass(box, 0,
                       kind == 0   ? makeTcp(out)
                       : kind == 1 ? makeUdp(out)
                                   : makeIcmp(out, request, echo));
      CHECK_EQUAL(gone.size(), 1u);
      CHECK_EQUAL(int{sourceOf(gone[0].packet)}, 77);
      CHECK(hasGoodChecksums(gone[0].packet));
      auto come = pass(box, 1,
                       kind == 0   ? makeTcp(back)
                       : kind == 1 ? makeUdp(back)
                                   : makeIcmp(back, reply, echo));
      CHECK_EQUAL(come.size(), 1u);
      CHECK_EQUAL(int{destinationOf(come[0].packet)}, 1);
      CHECK(hasGoodChecksums(come[0].packet));
    }
    CHECK_EQUAL(box.natMappings(), 3u);
    back.destinationPort = 5'556;
    CHECK(pass(box, 1, makeTcp(back)).empty());
    CHECK_EQUAL(box.stats().natDrops, 1u);
    // Traffic that the NAT ignores.
    back.destination = 1;
    CHECK_EQUAL(pass(box, 1, makeTcp(back)).size(), 1u);
  }
}

TEST("NAT: hosts with the same port get different ones, each its own answers") {
  Middlebox box = boxOf(natChange(kNat4));
  std::vector<std::uint16_t> ports;
  for (std::uint8_t host = 1; host <= 5; host += 1) {
    const auto out = pass(box, 0, makeUdp({.source = host, .sourcePort = 65'534}));
    ports.push_back(load16(out[0].packet.bytes(), 20));
  }
  CHECK_EQUAL(ports[0], 65'534u);
  CHECK_EQUAL(ports[1], 65'535u);
  CHECK_EQUAL(ports[2], 1'024u);
  for (std::uint8_t host = 1; host <= 5; host += 1) {
    Segment back{.source = 2, .destination = 77};
    back.destinationPort = ports[host - 1u];
    const auto come = pass(box, 1, makeUdp(back));
    CHECK_EQUAL(int{destinationOf(come[0].packet)}, int{host});
    CHECK_EQUAL(load16(come[0].packet.bytes(), 22), 65'534u);
  }
  // After a long idle time the port is free for others.
  const auto late = pass(box, 0, makeUdp({.source = 9, .sourcePort = 65'534}), 400'000'000'000);
  CHECK_EQUAL(load16(late[0].packet.bytes(), 20), 65'534u);
}

TEST("NAT: an ICMP error reaches who sent what it is about, with what it sent") {
  for (const bool isIpv6 : {false, true}) {
    Middlebox box = boxOf(natChange(isIpv6 ? kNat6 : kNat4));
    const Packet sent = makeUdp({.isIpv6 = isIpv6, .sourcePort = 6'000, .payloadBytes = 40});
    const auto gone = pass(box, 0, copyOf(sent));
    const auto quoted = gone[0].packet.bytes().first(isIpv6 ? 60 : 40);
    std::vector<std::uint8_t> rest(4 + quoted.size(), 0);
    std::ranges::copy(quoted, rest.begin() + 4);
    const Segment router{.isIpv6 = isIpv6, .source = 99, .destination = 77};
    const auto come = pass(box, 1, makeIcmp(router, isIpv6 ? 2 : 3, rest));
    CHECK_EQUAL(come.size(), 1u);
    CHECK_EQUAL(int{destinationOf(come[0].packet)}, 1);
    CHECK(hasGoodChecksums(come[0].packet));
    const auto inner = come[0].packet.bytes().subspan(isIpv6 ? 48 : 28);
    // The quoted header equals the sent one byte for byte, including checksums.
    CHECK(std::equal(inner.begin(), inner.end(), sent.data.get()));
  }
}

TEST("NAT: an ICMP error needs a mapping and does not keep it") {
  const auto about = [](const Packet& packet) {
    std::vector<std::uint8_t> rest(4, 0);
    const auto quoted = packet.bytes().first(28);
    rest.insert(rest.end(), quoted.begin(), quoted.end());
    return rest;
  };
  Middlebox box = boxOf(natChange(kNat4));
  // From inside, about a packet that no mapping let in.
  const Packet unknown = makeUdp({.source = 2, .destination = 1, .destinationPort = 7'777});
  CHECK(pass(box, 0, makeIcmp({}, 3, about(unknown))).empty());
  CHECK_EQUAL(box.stats().natDrops, 1u);
  const std::vector<std::uint8_t> echo{0x12, 0x34, 0, 1};
  const auto gone = pass(box, 0, makeIcmp({}, 8, echo), 0);
  const Segment router{.source = 99, .destination = 77};
  CHECK_EQUAL(pass(box, 1, makeIcmp(router, 3, about(gone[0].packet)), 59 * kSecond).size(), 1u);
  const auto other = pass(box, 0, makeIcmp({.source = 9}, 8, echo), 61 * kSecond);
  CHECK_EQUAL(load16(other[0].packet.bytes(), 24), 0x1234u);
}

TEST("reset: both ends get a reset once a connection has carried too much, repeated until they receive it") {
  for (const bool isIpv6 : {false, true}) {
    Middlebox box = boxOf(resetChange(1'000));
    const Segment data{.isIpv6 = isIpv6, .sequence = 7'000, .acknowledged = 9'000, .payloadBytes = 600};
    CHECK_EQUAL(pass(box, 0, makeTcp(data)).size(), 1u);
    for (int again = 0; again < 2; again += 1) {
      const auto out = pass(box, 0, makeTcp(data));
      CHECK_EQUAL(out.size(), 2u);
      CHECK_EQUAL(out[0].direction, 0);
      CHECK_EQUAL(out[1].direction, 1);
      for (const auto& [direction, packet] : out) {
        CHECK(hasGoodChecksums(packet));
        CHECK((tcpOf(packet).flags & kRst) != 0);
        CHECK_EQUAL(tcpOf(packet).payloadBytes, 0u);
        CHECK_EQUAL(int{destinationOf(packet)}, direction == 0 ? 2 : 1);
        CHECK_EQUAL(load32(packet.bytes(), tcpOf(packet).at + 4), direction == 0 ? 7'000u : 9'000u);
      }
    }
    CHECK_EQUAL(box.stats().resets, 1u);
    // The other direction is the same connection; another port is another one; a SYN starts anew.
    Segment back = data;
    std::swap(back.source, back.destination);
    std::swap(back.sourcePort, back.destinationPort);
    CHECK_EQUAL(pass(box, 1, makeTcp(back)).size(), 2u);
    CHECK_EQUAL(pass(box, 0, makeTcp({.isIpv6 = isIpv6, .sourcePort = 41'000, .payloadBytes = 600})).size(),
                1u);
    CHECK_EQUAL(pass(box, 0, makeTcp({.isIpv6 = isIpv6, .flags = kSyn})).size(), 1u);
    CHECK_EQUAL(pass(box, 1, makeTcp(back)).size(), 1u);
    // A connection that ends below the limit is not reset.
    CHECK_EQUAL(pass(box, 0, makeTcp({.isIpv6 = isIpv6, .flags = kRst})).size(), 1u);
  }
}

TEST("reset behind NAT: each end hears from the address it knows") {
  Middlebox box = boxOf(natChange(kNat4));
  box.apply(resetChange(100));
  const auto out = pass(box, 0, makeTcp({.payloadBytes = 200}));
  CHECK_EQUAL(out.size(), 2u);
  CHECK_EQUAL(int{sourceOf(out[0].packet)}, 77);
  CHECK_EQUAL(int{destinationOf(out[1].packet)}, 1);
  CHECK(hasGoodChecksums(out[0].packet));
  CHECK(hasGoodChecksums(out[1].packet));
}
