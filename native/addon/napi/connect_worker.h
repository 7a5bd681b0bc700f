// connectMptcp as a promise: waits on a thread of the libuv pool, at most for the caller's timeout.
#pragma once

#include <napi.h>

namespace mpd {

Napi::Value connectMptcpAsync(const Napi::CallbackInfo& info);

}  // namespace mpd
