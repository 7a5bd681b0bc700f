// All input of the helper from other processes, and the kernel's answers about endpoints.
#include "../src/path_manager.h"
#include "../src/request.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mpd::helper;
  LineReader lines;
  lines.feed({reinterpret_cast<const char*>(data), size}, [](std::optional<std::string_view> line) {
    if (!line) return;
    if (line->size() > kMaxLine) __builtin_trap();
    const auto request = parseRequest(*line);
    if (!request) return;
    if (request->flags > kAllFlags || request->interfaceIndex > INT32_MAX) __builtin_trap();
    const bool needsId = request->verb == Verb::kAdd || request->verb == Verb::kBackup ||
                         request->verb == Verb::kSubflowCreate;
    if (request->id == 0 && needsId) __builtin_trap();
    if (request->verb >= Verb::kSubflowCreate && request->remote.port == 0) __builtin_trap();
    if (request->verb >= Verb::kSubflowCreate && request->remote.v6 != request->address.v6) __builtin_trap();
  });
  try {
    PmEndpoint endpoint;
    if (decodeEndpoint({data, size}, endpoint)) {
      PmEndpoint again;
      if (!decodeEndpoint(encodeEndpoint(endpoint), again) || again != endpoint) __builtin_trap();
    }
  } catch (const mpd::Failure&) {
    // Malformed, and reported as such.
  }
  return 0;
}
