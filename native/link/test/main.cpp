#include "check.hpp"

int main() {
  for (const check::Test& test : check::tests()) {
    const int before = check::failures();
    test.body();
    std::printf("%s %s\n", check::failures() == before ? "ok  " : "FAIL", test.name);
  }
  std::printf("%zu tests, %d failed checks\n", check::tests().size(), check::failures());
  return check::failures() == 0 ? 0 : 1;
}
