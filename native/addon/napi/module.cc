// The functions declared in index.d.ts.
#include <napi.h>

#include <cerrno>
#include <cstring>

#include "../address.h"
#include "../bound_socket.h"
#include "../collector.h"
#include "../full_info.h"
#include "../process_heap.h"
#include "../sockets.h"
#include "connect_worker.h"
#include "convert.h"
#include "options.h"
#include "sampler_class.h"

namespace mpd {
namespace {

constexpr double kMostInt = 2147483647;

int descriptorArgument(Napi::Value value) {
  return static_cast<int>(numberValue(value, "fd", {0, kMostInt, {}}));
}

Napi::Value snapshotJs(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Object options = optionsObject(env, info[0]);
  const std::string netns = textOption(options, "netns").value_or("");
  const Filter filter = filterOption(options);
  return rethrown(env, [&] { return toJs(env, takeSnapshot(netns, filter)); });
}

Napi::Value fullInfoJs(const Napi::CallbackInfo& info) {
  const int fd = descriptorArgument(info[0]);
  return rethrown(info.Env(), [&] { return toJs(info.Env(), fullInfo(fd)); });
}

Napi::Value dupFdJs(const Napi::CallbackInfo& info) {
  const auto pid = static_cast<pid_t>(numberValue(info[0], "pid", {1, kMostInt, {}}));
  const int fd = descriptorArgument(info[1]);
  return rethrown(info.Env(),
                  [&] { return Napi::Number::New(info.Env(), duplicateFrom(pid, fd).release()); });
}

Napi::Value openSocketJs(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Object options = optionsObject(env, info[0]);
  BoundSocketOptions wanted{.family = numberOption(options, "family", {4, 6, {}}) == 6 ? AF_INET6 : AF_INET,
                            .interfaceName = textOption(options, "interfaceName").value_or(""),
                            .local = {},
                            .mptcp = options.Get("mptcp").ToBoolean()};
  if (const auto text = textOption(options, "localAddress")) {
    wanted.local = parseSocketName(*text, 0);
    if (!wanted.local || wanted.local->storage.ss_family != wanted.family) {
      badArgument(env, "localAddress: \"" + *text + "\" is no address of that family");
    }
  }
  return rethrown(env, [&] { return Napi::Number::New(env, openBoundSocket(wanted).release()); });
}

Napi::Value socketInfoJs(const Napi::CallbackInfo& info) {
  const int fd = descriptorArgument(info[0]);
  return rethrown(info.Env(), [&]() -> Napi::Value {
    return toJs(info.Env(), socketInfo(fd)).Get("subflows").As<Napi::Array>().Get(0u);
  });
}

void limitReceiveWindowJs(const Napi::CallbackInfo& info) {
  const int fd = descriptorArgument(info[0]);
  const int bytes = static_cast<int>(numberValue(info[1], "bytes", {1, kMostInt, {}}));
  rethrown(info.Env(), [&] { limitReceiveWindow(fd, bytes); });
}

void setReceiveLowWaterJs(const Napi::CallbackInfo& info) {
  const int fd = descriptorArgument(info[0]);
  const int bytes = static_cast<int>(numberValue(info[1], "bytes", {1, kMostInt, {}}));
  rethrown(info.Env(), [&] { setReceiveLowWater(fd, bytes); });
}

void limitHeapArenasJs(const Napi::CallbackInfo& info) {
  limitHeapArenas(static_cast<int>(numberValue(info[0], "count", {1, kMostInt, {}})));
}

void trimHeapJs(const Napi::CallbackInfo& /*info*/) {
  trimHeap();
}

void closeFdJs(const Napi::CallbackInfo& info) {
  const int fd = descriptorArgument(info[0]);
  if (close(fd) != 0 && errno != EINTR) {
    badArgument(info.Env(), "fd " + std::to_string(fd) + ": " + strerror(errno));
  }
}

Napi::Value capabilitiesJs(const Napi::CallbackInfo& info) {
  return rethrown(info.Env(), [&] { return toJs(info.Env(), probeCapabilities()); });
}

Napi::Value decodeDiagJs(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    badArgument(env, "bytes must be a Uint8Array");
  }
  const std::string protocol = info[1].IsString() ? info[1].As<Napi::String>().Utf8Value() : "";
  if (protocol != "tcp" && protocol != "mptcp") badArgument(env, "protocol must be \"tcp\" or \"mptcp\"");
  const auto bytes = info[0].As<Napi::Uint8Array>();
  return rethrown(env, [&] {
    Snapshot snapshot;
    decodeCapture({bytes.Data(), bytes.ByteLength()}, protocol == "tcp" ? Protocol::kTcp : Protocol::kMptcp,
                  snapshot);
    return toJs(env, snapshot);
  });
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  prepareConversion(env);
  exports.Set("snapshot", Napi::Function::New<snapshotJs>(env, "snapshot"));
  exports.Set("Sampler", SamplerClass::define(env));
  exports.Set("connectMptcp", Napi::Function::New<connectMptcpAsync>(env, "connectMptcp"));
  exports.Set("fullInfo", Napi::Function::New<fullInfoJs>(env, "fullInfo"));
  exports.Set("openSocket", Napi::Function::New<openSocketJs>(env, "openSocket"));
  exports.Set("socketInfo", Napi::Function::New<socketInfoJs>(env, "socketInfo"));
  exports.Set("setReceiveLowWater", Napi::Function::New<setReceiveLowWaterJs>(env, "setReceiveLowWater"));
  exports.Set("limitReceiveWindow", Napi::Function::New<limitReceiveWindowJs>(env, "limitReceiveWindow"));
  exports.Set("dupFd", Napi::Function::New<dupFdJs>(env, "dupFd"));
  exports.Set("closeFd", Napi::Function::New<closeFdJs>(env, "closeFd"));
  exports.Set("limitHeapArenas", Napi::Function::New<limitHeapArenasJs>(env, "limitHeapArenas"));
  exports.Set("trimHeap", Napi::Function::New<trimHeapJs>(env, "trimHeap"));
  exports.Set("capabilities", Napi::Function::New<capabilitiesJs>(env, "capabilities"));
  exports.Set("decodeDiag", Napi::Function::New<decodeDiagJs>(env, "decodeDiag"));
  return exports;
}

}  // namespace
}  // namespace mpd

static Napi::Object initialiseModule(Napi::Env env, Napi::Object exports) {
  return mpd::initialise(env, exports);
}

NODE_API_MODULE(multipath_dash, initialiseModule)
