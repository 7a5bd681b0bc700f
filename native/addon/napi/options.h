// Converts JavaScript options into checked C++ values. Every error is a JavaScript exception with code
// BAD_ARGUMENT.
#pragma once

#include <napi.h>

#include <optional>
#include <string>

#include "../filter.h"

namespace mpd {

struct NumberRange {
  double least;
  double most;
  /** Used if the option is absent; none: the option is required. */
  std::optional<double> fallback;
};

[[noreturn]] void badArgument(Napi::Env env, const std::string& message);

/** An object, or an empty one if `value` is undefined. */
Napi::Object optionsObject(Napi::Env env, Napi::Value value);
/** A whole number within `range`. */
double numberOption(Napi::Object options, const char* name, NumberRange range);
double numberValue(Napi::Value value, const std::string& name, NumberRange range);
/** Absent: std::nullopt. No NUL bytes. */
std::optional<std::string> textOption(Napi::Object options, const char* name);
Filter filterOption(Napi::Object options);

}  // namespace mpd
