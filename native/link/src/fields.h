#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

/// Parsers of single values. All throw CommandError with the field.
namespace mpd::link {

inline constexpr std::uint64_t kMaxRateBps = 100'000'000'000;
inline constexpr std::uint64_t kMaxDelayUs = 10'000'000;

std::string quoted(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);

std::uint64_t parseInteger(std::string_view field, std::string_view text, std::uint64_t min,
                           std::uint64_t max);
/// 0 to 1.
double parseRatio(std::string_view field, std::string_view text);
std::string parseName(std::string_view field, std::string_view text);
std::string parseDevice(std::string_view field, std::string_view text);
std::string parseNetns(std::string_view field, std::string_view text);
InterfaceAddress parseAddress(std::string_view field, std::string_view text);

}  // namespace mpd::link
