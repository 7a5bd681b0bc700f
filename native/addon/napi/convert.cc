#include "convert.h"

#include <algorithm>

#include "../pack.h"

namespace mpd {
namespace {

constexpr char kUnpackSource[] =
#include "unpack.js.inc"
    ;

/** The addon's data of one JavaScript environment. */
struct Instance {
  Napi::FunctionReference unpack;
};

Napi::Array textArray(Napi::Env env, const std::vector<std::string>& texts) {
  Napi::Array out = Napi::Array::New(env, texts.size());
  for (uint32_t i = 0; i < texts.size(); ++i) {
    const Napi::HandleScope scope(env);
    out.Set(i, texts[i]);
  }
  return out;
}

}  // namespace

void prepareConversion(Napi::Env env) {
  auto* instance = new Instance;
  instance->unpack = Napi::Persistent(env.RunScript(kUnpackSource).As<Napi::Function>());
  env.SetInstanceData(instance);  // Deleted with the environment.
}

Napi::Error toJsError(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.what());
  error.Set("code", failure.code());
  if (failure.error() != 0) error.Set("errno", static_cast<double>(failure.error()));
  return error;
}

Napi::Object toJs(Napi::Env env, const Snapshot& snapshot) {
  return toJs(env, std::span(&snapshot, 1)).Get(0u).As<Napi::Object>();
}

Napi::Array toJs(Napi::Env env, std::span<const Snapshot> snapshots) {
  const Packer packer(snapshots);
  auto numbers = Napi::Float64Array::New(env, packer.numbers().size());
  std::copy(packer.numbers().begin(), packer.numbers().end(), numbers.Data());
  const Napi::FunctionReference& unpack = env.GetInstanceData<Instance>()->unpack;
  return unpack.Call({numbers, textArray(env, packer.texts())}).As<Napi::Array>();
}

Napi::Object toJs(Napi::Env env, const SamplerCounts& counts) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("taken", static_cast<double>(counts.taken));
  out.Set("read", static_cast<double>(counts.read));
  out.Set("lost", static_cast<double>(counts.lost));
  out.Set("failed", static_cast<double>(counts.failed));
  out.Set("meanCpuUs", counts.taken == 0 ? 0 : counts.totalCpuUs / static_cast<double>(counts.taken));
  if (counts.lastError) {
    Napi::Object error = Napi::Object::New(env);
    error.Set("code", counts.lastError->code());
    error.Set("errno", static_cast<double>(counts.lastError->error()));
    error.Set("message", counts.lastError->what());
    out.Set("lastError", error);
  }
  return out;
}

Napi::Object toJs(Napi::Env env, const Capabilities& capabilities) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("mptcp", capabilities.mptcp);
  out.Set("mptcpDiag", capabilities.mptcpDiag);
  out.Set("ulpInfo", capabilities.ulpInfo);
  if (!capabilities.ulpInfo) out.Set("ulpInfoReason", capabilities.ulpInfoReason);
  out.Set("fullInfo", capabilities.fullInfo);
  out.Set("tcpInfoLength", capabilities.tcpInfoLength);
  out.Set("mptcpInfoLength", capabilities.mptcpInfoLength);
  return out;
}

}  // namespace mpd
