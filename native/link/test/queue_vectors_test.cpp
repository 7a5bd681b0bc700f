#include "queue_vectors.hpp"

#include <fstream>
#include <sstream>

#include "check.hpp"

TEST("queue vectors: every discipline does what testdata says, event by event") {
  for (const mpd::link::QueueKind kind : kAllQueueKinds) {
    std::ifstream file(queueVectorFile(kind));
    std::ostringstream stored;
    stored << file.rdbuf();
    const std::string made = makeQueueVector(kind);
    std::istringstream expected(stored.str());
    std::istringstream actual(made);
    std::string expectedLine;
    std::string actualLine;
    // Line by line: the first that differs says more than two files that do.
    while (std::getline(actual, actualLine)) {
      std::getline(expected, expectedLine);
      CHECK_EQUAL(actualLine, expectedLine);
      if (actualLine != expectedLine) break;
    }
    CHECK_EQUAL(stored.str().size(), made.size());
  }
}
