// Writes properties with the raw N-API: a snapshot of a busy machine has tens of thousands of them.
#pragma once

#include <napi.h>

#include <array>
#include <string_view>

namespace mpd {

/** Every property name of a snapshot. */
enum class Key : size_t {
#define MPD_KEY(name) name,
#include "keys.inc"
#undef MPD_KEY
  kCount
};

/** Property names as JavaScript strings, made once a conversion instead of once a property. */
class Keys {
 public:
  explicit Keys(napi_env env) : env_(env) {
    static constexpr std::string_view kNames[] = {
#define MPD_KEY(name) #name,
#include "keys.inc"
#undef MPD_KEY
    };
    for (size_t i = 0; i < handles_.size(); ++i) {
      check(napi_create_string_utf8(env, kNames[i].data(), kNames[i].size(), &handles_[i]));
    }
  }
  napi_env env() const {
    return env_;
  }
  napi_value operator[](Key key) const {
    return handles_[static_cast<size_t>(key)];
  }
  void check(napi_status status) const {
    if (status != napi_ok) throw Napi::Error::New(env_);
  }

 private:
  napi_env env_;
  std::array<napi_value, static_cast<size_t>(Key::kCount)> handles_{};
};

class ObjectWriter {
 public:
  explicit ObjectWriter(const Keys& keys) : keys_(keys) {
    keys.check(napi_create_object(keys.env(), &object_));
  }
  napi_value object() const { return object_; }

  void set(Key key, napi_value value) {
    keys_.check(napi_set_property(keys_.env(), object_, keys_[key], value));
  }
  void number(Key key, double value) {
    napi_value out;
    keys_.check(napi_create_double(keys_.env(), value, &out));
    set(key, out);
  }
  void boolean(Key key, bool value) {
    napi_value out;
    keys_.check(napi_get_boolean(keys_.env(), value, &out));
    set(key, out);
  }
  void text(Key key, std::string_view value) {
    napi_value out;
    keys_.check(napi_create_string_utf8(keys_.env(), value.data(), value.size(), &out));
    set(key, out);
  }

 private:
  const Keys& keys_;
  napi_value object_ = nullptr;
};

}  // namespace mpd
