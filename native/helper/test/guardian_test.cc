// The report to the second process.
#include <unistd.h>

#include <csignal>

#include "../../test/check.h"
#include "../src/guardian.h"

using namespace mpd;
using namespace mpd::helper;

TEST(guardian_that_reads_no_reports_delays_nobody) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  {
    const Guardian guardian([&] {
      // Until the test closes its end.
      close(ends[1]);
      char byte = 0;
      while (read(ends[0], &byte, 1) > 0) continue;
      return [](const Changes&) {};
    });
    alarm(60);
    std::string refusal;
    for (int n = 0; n < 100'000 && refusal.empty(); ++n) {
      try {
        guardian.report(std::vector<Change>());
      } catch (const Failure& failure) {
        refusal = failure.what();
      }
    }
    alarm(0);
    CHECK(refusal == "nobody would undo this: the second process reads no reports");
  }
  close(ends[1]);
  close(ends[0]);
}
