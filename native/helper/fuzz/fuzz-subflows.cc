// Requests about connections, interleaved with path manager events, against the policy. For any input, only
// the caller's connection is changed, and only towards its other end.
#include <sys/socket.h>

#include "../src/subflow_controller.h"
#include "../test/fake_kernel.h"

namespace {

using namespace mpd;
using namespace mpd::helper;

constexpr uint32_t kMine = 1000;

OwnConnection ownConnection() {
  OwnConnection own;
  own.connection.info.data.token = kMine;
  own.connection.remote = address("10.9.0.1", 443);
  Subflow& first = own.subflows.emplace_back();
  first.family = AF_INET;
  first.state = wire::kEstablished;
  first.local = address("10.0.1.2", 40000);
  first.hasLocalId = true;
  first.remote = own.connection.remote;
  return own;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FakeKernel kernel;
  SubflowController controller(
      kernel,
      [](std::optional<uint32_t> token) {
        std::vector<OwnConnection> out;
        if (!token || *token == kMine) out.push_back(ownConnection());
        return out;
      },
      [] {});
  bool announced = false;
  LineReader lines;
  lines.feed({reinterpret_cast<const char*>(data), size}, [&](std::optional<std::string_view> line) {
    if (!line) return;
    if (const auto request = parseRequest(*line)) {
      controller.handle(*request);
    } else if (!line->empty()) {
      // An invalid request is used as the bytes of an event.
      const auto* bytes = reinterpret_cast<const uint8_t*>(line->data());
      const std::string lines = controller.hear(bytes[0], {bytes + 1, line->size() - 1});
      announced |= bytes[0] == kEventAnnounced && !lines.empty();
    }
  });
  controller.restore();
  for (const auto& [token, id] : kernel.removed) {
    if (token != kMine || id != 0) __builtin_trap();
  }
  for (const auto& [word, ends] : kernel.asked) {
    if (ends.token != kMine) __builtin_trap();
    if (!announced && ends.remote.address != address("10.9.0.1", 443)) __builtin_trap();
    if (word == "create" ? ends.local.id == 0 : ends.local.address != address("10.0.1.2", 40000))
      __builtin_trap();
  }
  return 0;
}
