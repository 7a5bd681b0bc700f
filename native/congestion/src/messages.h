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

/** Messages of libbpf before a load failed. */
struct Heard {
  /** The first line of each message, in one line. */
  std::string causes;
  /** The last line of the verifier's log that is no statistics; empty if the verifier had nothing to say. */
  std::string verifier_reason;
};
inline Heard heard;
constexpr size_t kMostCauses = 1024;

inline std::string formatted(const char* format, va_list arguments) {
  va_list measured;
  va_copy(measured, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, measured);
  va_end(measured);
  if (length <= 0) return "";
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, arguments);
  text.pop_back();
  return text;
}

/** The line of a verifier's log, with libbpf's markers around it, that says what the verifier refuses. */
inline std::string reason_in(std::string_view log) {
  std::string_view reason;
  while (!log.empty()) {
    const size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    const bool is_marker = line.find("PROG LOAD LOG --") != std::string_view::npos;
    const bool is_statistics = line.starts_with("processed ") || line.starts_with("verification time");
    if (!line.empty() && !is_marker && !is_statistics) reason = line;
  }
  return std::string(reason);
}

/** Takes a message of libbpf. With MPD_BPF_LOG in the environment it is also printed, whole. */
inline int remember(libbpf_print_level level, const char* format, va_list arguments) {
  if (level != LIBBPF_WARN) return 0;
  const std::string text = formatted(format, arguments);
  if (std::getenv("MPD_BPF_LOG") != nullptr) std::fputs(text.c_str(), stderr);
  if (text.find("BEGIN PROG LOAD LOG") != std::string::npos) {
    heard.verifier_reason = reason_in(text);
    return static_cast<int>(text.size());
  }
  const std::string line = text.substr(0, text.find('\n'));
  // A summary follows the cause, and an embedded object has no name that says anything.
  const bool says_cause = !line.empty() && line.find("failed to load object") == std::string::npos;
  if (says_cause && heard.causes.size() < kMostCauses) heard.causes += "; " + line;
  return static_cast<int>(text.size());
}

/** Says in one line why something failed. @returns an exit status */
inline int explain(const char* what, std::string_view name, int error) {
  std::fprintf(stderr, "mpd-coupled: cannot %s %.*s: %s", what, static_cast<int>(name.size()), name.data(),
               std::strerror(error));
  if (is_refusal(error)) {
    std::fputs(
        "\nIt takes CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN in the initial user namespace: run it with "
        "sudo.\n",
        stderr);
    return kRefused;
  }
  std::fprintf(stderr, "%s\n", heard.causes.c_str());
  return kFailed;
}

/**
 * As `explain`, for a control that does not get into the kernel. The verifier answers with EACCES too. It
 * runs only for a process that has the privileges, and it writes a log.
 */
inline int explain_load(std::string_view name, int error) {
  const std::string control(name);
  if (!heard.verifier_reason.empty()) {
    std::fprintf(stderr,
                 "mpd-coupled: the verifier of this kernel refuses %s%s: %s (MPD_BPF_LOG=1 prints its log)\n",
                 control.c_str(), needs_of(name), heard.verifier_reason.c_str());
    return kUnsupported;
  }
  if (is_refusal(error) || is_shortage(error)) return explain("load", name, error);
  std::fprintf(stderr, "mpd-coupled: this kernel does not take %s%s: %s%s\n", control.c_str(), needs_of(name),
               std::strerror(error), heard.causes.c_str());
  return kUnsupported;
}
