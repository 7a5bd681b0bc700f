#pragma once

#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/// A minimal test harness for pure code, without dependencies.
namespace check {

struct Test {
  const char* name;
  std::function<void()> body;
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(const char* name, std::function<void()> body) { tests().push_back({name, body}); }
};

template <typename A, typename B>
void equal(const A& actual, const B& expected, const char* expression, const char* file, int line) {
  if (actual == expected) return;
  std::ostringstream text;
  text << file << ":" << line << ": " << expression << " is " << actual << ", expected " << expected;
  std::fprintf(stderr, "%s\n", text.str().c_str());
  failures() += 1;
}

}  // namespace check

#define CHECK_JOIN2(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN2(a, b)
#define TEST_NUMBERED(name, number)                                                     \
  static void CHECK_JOIN(test, number)();                                               \
  static const check::Register CHECK_JOIN(reg, number)(name, CHECK_JOIN(test, number)); \
  static void CHECK_JOIN(test, number)()
// A line's number is not unique where several files are one translation unit.
#define TEST(name) TEST_NUMBERED(name, __COUNTER__)
#define CHECK_EQUAL(actual, expected) check::equal((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK(condition) check::equal(static_cast<bool>(condition), true, #condition, __FILE__, __LINE__)
