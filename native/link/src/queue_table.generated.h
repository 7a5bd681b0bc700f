// Written by scripts/registries.mjs. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "queue_limit.h"

/// The queue disciplines and their settings, as src/scenario/queue-disciplines.ts has them.
namespace mpd::link {

enum class QueueKind : std::uint8_t { kDroptail, kPie, kFqPie, kCodel, kFqCodel };
enum class QueueSetting : std::uint8_t { kTarget, kInterval, kUpdate, kBurst, kEcn, kEcnThreshold, kFlows, kQuantum };
inline constexpr std::size_t kQueueSettingCount = 8;

/// A value for each setting: times in ns, sizes in bytes, a flag as 0 or 1.
using QueueSettings = std::array<std::optional<double>, kQueueSettingCount>;
inline constexpr std::optional<double> kNotRead;

enum class SettingKind : std::uint8_t { kTime, kSize, kCount, kRatio, kFlag };
struct QueueSettingRow {
  QueueSetting setting;
  /// In the vectors.
  std::string_view field;
  /// On a command line.
  std::string_view argument;
  SettingKind kind;
  /// Bounds of the argument; a time in us.
  std::uint64_t min;
  std::uint64_t max;
};
/// In the order of `QueueSetting`.
inline constexpr QueueSettingRow kQueueSettings[] = {
    {QueueSetting::kTarget, "targetMs", "target_us", SettingKind::kTime, 1, 10000000},
    {QueueSetting::kInterval, "intervalMs", "interval_us", SettingKind::kTime, 1000, 10000000},
    {QueueSetting::kUpdate, "updateMs", "update_us", SettingKind::kTime, 1000, 10000000},
    {QueueSetting::kBurst, "burstMs", "burst_us", SettingKind::kTime, 0, 10000000},
    {QueueSetting::kEcn, "ecn", "ecn", SettingKind::kFlag, 0, 1},
    {QueueSetting::kEcnThreshold, "ecnThreshold", "ecn_threshold", SettingKind::kRatio, 0, 1},
    {QueueSetting::kFlows, "flows", "flows", SettingKind::kCount, 1, 65536},
    {QueueSetting::kQuantum, "quantumBytes", "quantum", SettingKind::kSize, 256, 1000000},
};

struct QueueDiscipline {
  QueueKind kind;
  std::string_view name;
  /// Limits of a queue for which neither bytes nor packets are given.
  QueueLimit limit;
  /// Defaults of the settings that it reads.
  QueueSettings settings;
};
/// In the order of `QueueKind`.
inline constexpr QueueDiscipline kQueueDisciplines[] = {
    {QueueKind::kDroptail, "droptail", {.bytes = 60000}, {kNotRead, kNotRead, kNotRead, kNotRead, kNotRead, kNotRead, kNotRead, kNotRead}},
    {QueueKind::kPie, "pie", {.packets = 1000}, {15000000, kNotRead, 15000000, 150000000, 0, 0.1, kNotRead, kNotRead}},
    {QueueKind::kFqPie, "fq_pie", {.bytes = 32000000, .packets = 10240}, {15000000, kNotRead, 15000000, 150000000, 0, 0.1, 1024, 1514}},
    {QueueKind::kCodel, "codel", {.packets = 1000}, {5000000, 100000000, kNotRead, kNotRead, 0, kNotRead, kNotRead, kNotRead}},
    {QueueKind::kFqCodel, "fq_codel", {.bytes = 32000000, .packets = 10240}, {5000000, 100000000, kNotRead, kNotRead, 0, kNotRead, 1024, 1514}},
};

}  // namespace mpd::link
