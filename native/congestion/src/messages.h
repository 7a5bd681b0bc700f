// Why a command failed: one line and an exit status.
#pragma once

#include <bpf/libbpf.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "requirements.h"

inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
/** The kernel lacks something. */
inline constexpr int kUnsupported = 3;
inline constexpr int kRefused = 4;

/** The first line of each message that libbpf printed before it failed, in one line. */
inline std::string libbpf_says;
constexpr size_t kMostSaid = 1024;

inline int remember(libbpf_print_level level, const char* format, va_list arguments) {
  if (level != LIBBPF_WARN) return 0;
  char text[kMostSaid];
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  if (std::getenv("MPD_BPF_LOG") != nullptr) std::fputs(text, stderr);
  const std::string line(text, std::strcspn(text, "\n"));
  // A summary follows the cause, and an embedded object has no name that says anything. The verifier's log is
  // long.
  const bool says_cause = line.find("failed to load object") == std::string::npos &&
                          line.find("BEGIN PROG LOAD LOG") == std::string::npos;
  if (length > 0 && says_cause && libbpf_says.size() < kMostSaid) libbpf_says += "; " + line;
  return length;
}

/** Says in one line why something failed. @returns an exit status */
inline int explain(const char* what, std::string_view name, int error) {
  std::fprintf(stderr, "mpd-coupled: cannot %s %.*s: %s", what, static_cast<int>(name.size()), name.data(),
               std::strerror(error));
  if (error == EPERM || error == EACCES) {
    std::fputs(
        "\nIt takes CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN in the initial user namespace: run it with "
        "sudo.\n",
        stderr);
    return kRefused;
  }
  std::fprintf(stderr, "%s\n", libbpf_says.c_str());
  return kFailed;
}

/** As `explain`, for a control that does not get into the kernel. */
inline int explain_load(std::string_view name, int error) {
  if (is_refusal(error) || is_shortage(error)) return explain("load", name, error);
  std::fprintf(stderr, "mpd-coupled: this kernel does not take %.*s%s: %s%s\n", static_cast<int>(name.size()),
               name.data(), needs_of(name), std::strerror(error), libbpf_says.c_str());
  return kUnsupported;
}
