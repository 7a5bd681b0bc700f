#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "emulator.h"

int main(int argc, char**) {
  if (argc > 1) {
    std::fputs("mpd-link takes no arguments: commands on stdin, see native/link/README.md\n", stderr);
    return 2;
  }
  // Ends with the parent, even after SIGKILL. If the parent ended earlier, stdin is closed.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // Best effort, refused without privilege: punctual links need priority on a busy machine. Niceness counts
  // only within a session if the kernel groups tasks by session, real-time priority everywhere.
  const sched_param priority{.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_RR, &priority) != 0) setpriority(PRIO_PROCESS, 0, -15);
  try {
    return mpd::link::Emulator().run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpd-link: %s\n", error.what());
    return 1;
  }
}
