// Converts records into JavaScript objects, as declared in index.d.ts.
#pragma once

#include <napi.h>

#include <span>

#include "../capabilities.h"
#include "../model.h"
#include "../sampler_thread.h"

namespace mpd {

/** Must be called once for each environment before the others. */
void prepareConversion(Napi::Env env);

Napi::Error toJsError(Napi::Env env, const Failure& failure);
Napi::Object toJs(Napi::Env env, const Snapshot& snapshot);
Napi::Array toJs(Napi::Env env, std::span<const Snapshot> snapshots);
Napi::Object toJs(Napi::Env env, const SamplerCounts& counts);
Napi::Object toJs(Napi::Env env, const Capabilities& capabilities);

/** Calls `work` and turns a Failure into a JavaScript exception. */
template <typename Work>
auto rethrown(Napi::Env env, Work&& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    throw toJsError(env, failure);
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Napi::Error::New(env, error.what());
  }
}

}  // namespace mpd
