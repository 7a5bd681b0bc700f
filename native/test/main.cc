// Runs every TEST; the argument is the folder of captures.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "check.h"

namespace mpd::test {
namespace {

std::string folder;
int failures = 0;

}  // namespace

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

void fail(const char* file, int line, const std::string& what) {
  ++failures;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
}

std::vector<uint8_t> capture(const std::string& name) {
  std::ifstream file(folder + "/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + folder + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace mpd::test

int main(int argc, char** argv) {
  using namespace mpd::test;
  if (argc != 2) {
    std::fprintf(stderr, "usage: unit-test TESTDATA\n");
    return 2;
  }
  folder = argv[1];
  for (const Case& one : cases()) {
    const int before = failures;
    try {
      one.body();
    } catch (const std::exception& error) {
      fail(one.name, 0, std::string("threw ") + error.what());
    }
    std::printf("%s %s\n", failures == before ? "ok  " : "FAIL", one.name);
  }
  std::printf("%zu tests, %d failures\n", cases().size(), failures);
  return failures == 0 ? 0 : 1;
}
