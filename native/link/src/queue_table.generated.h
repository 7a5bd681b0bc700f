// Written by scripts/registries.mjs. Do not edit.
// clang-format off
#pragma once

#include <string_view>

#include "queue_limit.h"

namespace mpd::link {

enum class QueueKind { kDroptail, kPie, kFqPie, kCodel, kFqCodel };

/// A queue discipline, as src/scenario/queue-disciplines.ts has it.
struct QueueDiscipline {
  QueueKind kind;
  std::string_view name;
  /// Limits of a queue for which neither bytes nor packets are given.
  QueueLimit limit;
  /// It can mark packets of ECN senders.
  bool marks;
};

inline constexpr QueueDiscipline kQueueDisciplines[] = {
    {QueueKind::kDroptail, "droptail", {.bytes = 60000}, false},
    {QueueKind::kPie, "pie", {.packets = 1000}, true},
    {QueueKind::kFqPie, "fq_pie", {.bytes = 32000000, .packets = 10240}, true},
    {QueueKind::kCodel, "codel", {.packets = 1000}, true},
    {QueueKind::kFqCodel, "fq_codel", {.bytes = 32000000, .packets = 10240}, true},
};

}  // namespace mpd::link
