#pragma once

#include <string>

#include "queue_config.h"

/// The behaviour of a queue under a fixed sequence of arrivals and departures, as JSON, so that other
/// implementations can be compared with it (testdata/queue-vectors/README.md).
std::string makeQueueVector(mpd::link::QueueKind kind);

/// `testdata/queue-vectors/NAME.json`
std::string queueVectorFile(mpd::link::QueueKind kind);
