#include "queue_vectors.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include "check.h"

TEST("queue vectors: every discipline repeats testdata, event by event") {
  for (const mpd::link::QueueDiscipline& discipline : mpd::link::kQueueDisciplines) {
    std::ifstream file(queueVectorFile(discipline.kind));
    std::ostringstream stored;
    stored << file.rdbuf();
    const std::string made = makeQueueVector(discipline.kind);
    std::istringstream expected(stored.str());
    std::istringstream actual(made);
    std::string expectedLine;
    std::string actualLine;
    // Line by line: the first different line is the most informative.
    while (std::getline(actual, actualLine)) {
      std::getline(expected, expectedLine);
      CHECK_EQUAL(actualLine, expectedLine);
      if (actualLine != expectedLine) break;
    }
    CHECK_EQUAL(stored.str().size(), made.size());
  }
}

constexpr auto kEcn = static_cast<std::size_t>(mpd::link::QueueSetting::kEcn);

TEST("queue vectors: every discipline that marks does, and drops as well") {
  for (const mpd::link::QueueDiscipline& discipline : mpd::link::kQueueDisciplines) {
    std::istringstream lines(makeQueueVector(discipline.kind));
    unsigned counted = 0;
    std::uint32_t marks = 0;
    std::uint32_t drops = 0;
    for (std::string line; std::getline(lines, line);) {
      char verb = 0;
      unsigned ecn = 0;
      unsigned dropped = 0;
      std::sscanf(line.c_str(), " \"marks\": %u", &counted);
      if (std::sscanf(line.c_str(), " [%*u,\"%c\",%*d,%*u,%*u,%u,%u", &verb, &ecn, &dropped) != 3) continue;
      if (verb == 'd' && ecn == 3) marks += 1;
      drops += dropped;
    }
    CHECK_EQUAL(marks, counted);
    CHECK((marks > 0) == discipline.settings[kEcn].has_value());
    CHECK(drops > 0);
  }
}
