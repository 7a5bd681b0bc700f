#pragma once

#include <string>

#include "queue_config.hpp"

/// What a queue does with a fixed sequence of arrivals and departures, written down as JSON so that another
/// implementation can be held against it (testdata/queue-vectors/README.md).
std::string makeQueueVector(mpd::link::QueueKind kind);

/// `testdata/queue-vectors/NAME.json`
std::string queueVectorFile(mpd::link::QueueKind kind);

inline constexpr mpd::link::QueueKind kAllQueueKinds[] = {
    mpd::link::QueueKind::kDroptail, mpd::link::QueueKind::kPie, mpd::link::QueueKind::kFqPie,
    mpd::link::QueueKind::kCodel, mpd::link::QueueKind::kFqCodel};
