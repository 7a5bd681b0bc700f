#include "options.h"

#include <cmath>

#include "../address.h"
#include "convert.h"

namespace mpd {
namespace {

/** Calls `take` with each element of an optional array of at most kMaxFilterEntries. */
template <typename Take>
void eachElement(Napi::Object options, const char* name, Take&& take) {
  const Napi::Env env = options.Env();
  const Napi::Value value = options.Get(name);
  if (value.IsUndefined()) return;
  if (!value.IsArray()) badArgument(env, std::string(name) + " must be an array");
  const auto array = value.As<Napi::Array>();
  if (array.Length() > kMaxFilterEntries) {
    badArgument(env,
                std::string(name) + " may have at most " + std::to_string(kMaxFilterEntries) + " entries");
  }
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value element = array.Get(i);
    take(element, std::string(name) + "[" + std::to_string(i) + "]");
  }
}

Endpoint remoteOption(Napi::Env env, Napi::Value value, const std::string& place) {
  if (!value.IsObject()) badArgument(env, place + " must be { address, port }");
  const auto object = value.As<Napi::Object>();
  const std::string address = textOption(object, "address").value_or("");
  const auto port = static_cast<uint16_t>(numberValue(object.Get("port"), place + ".port", {0, 65535, {}}));
  const std::optional<Endpoint> endpoint = parseAddress(address, port);
  if (!endpoint) badArgument(env, place + ".address: \"" + address + "\" is no IPv4 or IPv6 address");
  return *endpoint;
}

}  // namespace

void badArgument(Napi::Env env, const std::string& message) {
  throw toJsError(env, Failure("BAD_ARGUMENT", message));
}

Napi::Object optionsObject(Napi::Env env, Napi::Value value) {
  if (value.IsUndefined()) return Napi::Object::New(env);
  if (!value.IsObject()) badArgument(env, "the options must be an object");
  return value.As<Napi::Object>();
}

double numberValue(Napi::Value value, const std::string& name, NumberRange range) {
  if (value.IsUndefined() && range.fallback) return *range.fallback;
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : NAN;
  if (!(number >= range.least && number <= range.most) || number != std::floor(number)) {
    badArgument(value.Env(), name + " must be a whole number from " +
                                 std::to_string(static_cast<int64_t>(range.least)) + " to " +
                                 std::to_string(static_cast<int64_t>(range.most)));
  }
  return number;
}

double numberOption(Napi::Object options, const char* name, NumberRange range) {
  return numberValue(options.Get(name), name, range);
}

std::optional<std::string> textOption(Napi::Object options, const char* name) {
  const Napi::Value value = options.Get(name);
  if (value.IsUndefined()) return std::nullopt;
  if (!value.IsString()) badArgument(options.Env(), std::string(name) + " must be a string");
  std::string text = value.As<Napi::String>().Utf8Value();
  if (text.empty() || text.find('\0') != std::string::npos) {
    badArgument(options.Env(), std::string(name) + " must be a non-empty string without NUL");
  }
  return text;
}

Filter filterOption(Napi::Object options) {
  const Napi::Env env = options.Env();
  Filter filter;
  eachElement(options, "remotes", [&](Napi::Value value, const std::string& place) {
    filter.remotes.push_back(remoteOption(env, value, place));
  });
  eachElement(options, "uids", [&](Napi::Value value, const std::string& place) {
    filter.uids.push_back(static_cast<uint32_t>(numberValue(value, place, {0, 4294967295.0, {}})));
  });
  const Napi::Value plain = options.Get("includePlainTcp");
  if (!plain.IsUndefined() && !plain.IsBoolean()) badArgument(env, "includePlainTcp must be a boolean");
  filter.includePlainTcp = plain.IsBoolean() && plain.As<Napi::Boolean>().Value();
  return filter;
}

}  // namespace mpd
