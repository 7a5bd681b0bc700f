#include <cstring>
#include <fstream>

#include "check.h"
#include "queue_vectors.h"

namespace {

int writeQueueVectors() {
  for (const mpd::link::QueueDiscipline& discipline : mpd::link::kQueueDisciplines) {
    const std::string name = queueVectorFile(discipline.kind);
    std::ofstream file(name);
    file << makeQueueVector(discipline.kind);
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s: run this in native/link\n", name.c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--write-queue-vectors") == 0) return writeQueueVectors();
  for (const check::Test& test : check::tests()) {
    const int before = check::failures();
    test.body();
    std::printf("%s %s\n", check::failures() == before ? "ok  " : "FAIL", test.name);
  }
  std::printf("%zu tests, %d failed checks\n", check::tests().size(), check::failures());
  return check::failures() == 0 ? 0 : 1;
}
