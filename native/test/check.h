// A minimal test framework: TEST(name) { CHECK(condition); CHECK_FAILS(code, expression); }
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../addon/model.h"

namespace mpd::test {

struct Case {
  const char* name;
  void (*body)();
};

std::vector<Case>& cases();
void fail(const char* file, int line, const std::string& what);
/** Bytes of a file of testdata/. */
std::vector<uint8_t> capture(const std::string& name);

struct Registration {
  Registration(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

}  // namespace mpd::test

#define TEST(name)                                                              \
  static void test_##name();                                                    \
  static const mpd::test::Registration registration_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) mpd::test::fail(__FILE__, __LINE__, "not so: " #condition); \
  } while (false)

#define CHECK_FAILS(expectedCode, expression)                                         \
  do {                                                                                \
    try {                                                                             \
      expression;                                                                     \
      mpd::test::fail(__FILE__, __LINE__, "does not throw: " #expression);            \
    } catch (const mpd::Failure& failure) {                                           \
      if (std::string(failure.code()) != (expectedCode)) {                            \
        mpd::test::fail(__FILE__, __LINE__, std::string("throws ") + failure.code()); \
      }                                                                               \
    }                                                                                 \
  } while (false)
