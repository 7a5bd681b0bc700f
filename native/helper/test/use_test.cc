// The users of an address, from made snapshots.
#include "../src/use.h"
#include "../../test/check.h"
#include "fake_kernel.h"

using namespace mpd;
using namespace mpd::helper;

namespace {

constexpr uint32_t kCaller = 1000, kOther = 2000, kRoot = 0;

/** One connection of a user with an established subflow from 10.0.1.2. */
Snapshot connectionOf(uint32_t uid, uint32_t inode) {
  Snapshot snapshot;
  Connection& connection = snapshot.connections.emplace_back();
  connection.uid = uid;
  connection.inode = inode;
  connection.info.length = sizeof connection.info.data;
  connection.info.data.token = 7;
  Subflow& subflow = snapshot.subflows.emplace_back();
  subflow.state = wire::kEstablished;
  subflow.hasToken = true;
  subflow.token = 7;
  subflow.local = address("10.0.1.2", 40000);
  subflow.remote = address("10.9.0.1", 443);
  return snapshot;
}

Use useOf(const Snapshot& snapshot, const char* at = "10.0.1.2") {
  return useIn(
      snapshot, kCaller, [](const Endpoint&) { return false; }, address(at));
}

}  // namespace

TEST(use_tells_the_caller_from_others) {
  const Use mine = useOf(connectionOf(kCaller, 5));
  CHECK(mine.caller && mine.callerAnywhere && !mine.others && !mine.othersAnywhere);
  for (const uint32_t uid : {kOther, kRoot}) {
    const Use theirs = useOf(connectionOf(uid, 5));
    CHECK(!theirs.caller && !theirs.callerAnywhere && theirs.others && theirs.othersAnywhere);
  }
  const Use elsewhere = useOf(connectionOf(kOther, 5), "10.0.2.2");
  CHECK(!elsewhere.others && elsewhere.othersAnywhere);
}

TEST(use_counts_what_another_user_closed_and_the_kernel_still_sends) {
  const Use theirs = useOf(connectionOf(kOther, 0));
  CHECK(theirs.others && theirs.othersAnywhere);
  const Use mine = useOf(connectionOf(kCaller, 0));
  CHECK(!mine.caller && !mine.callerAnywhere && !mine.others && !mine.othersAnywhere);
  const Use unknown = useOf(connectionOf(kRoot, 0));
  CHECK(!unknown.caller && !unknown.others && !unknown.othersAnywhere);
}
