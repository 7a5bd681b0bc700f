// The messages of a failed load, from what libbpf prints. Loads nothing.
#include "../src/messages.h"

#include <unistd.h>

#include "../../link/test/check.h"

namespace {

/** As libbpf calls it. */
__attribute__((format(printf, 1, 2))) void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  remember(LIBBPF_WARN, format, arguments);
  va_end(arguments);
}

struct Said {
  int status;
  std::string text;
};

/** Text that a function prints to stderr, and its result. */
template <typename Function>
Said said_by(Function function) {
  std::fflush(stderr);
  FILE* file = std::tmpfile();
  const int kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  const int status = function();
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::rewind(file);
  Said said{status, ""};
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file))
    said.text += static_cast<char>(byte);
  std::fclose(file);
  return said;
}

Said load_fails(int error) {
  return said_by([error] { return explain_load("mpd_lia", error); });
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/** libbpf's messages about a program that the verifier refuses, with a log of many lines. */
void refuse_by_verifier(const std::string& lines) {
  print("libbpf: prog '%s': BPF program load failed: %s\n", "lia_cong_avoid", "Permission denied");
  print("libbpf: prog '%s': -- BEGIN PROG LOAD LOG --\n%s-- END PROG LOAD LOG --\n", "lia_cong_avoid",
        lines.c_str());
  print("libbpf: failed to load object '%s'\n", "object-0x1");
}

const char* const kEnd = "R1 invalid mem access 'scalar'\nprocessed 12 insns (limit 1000000) max_states 1\n";

}  // namespace

TEST("a verifier's EACCES is no missing privilege") {
  heard = {};
  refuse_by_verifier(std::string("0: (b7) r0 = 0\n") + kEnd);
  const Said said = load_fails(EACCES);
  CHECK_EQUAL(said.status, kUnsupported);
  CHECK(has(said.text, "the verifier of this kernel refuses mpd_lia: R1 invalid mem access 'scalar'"));
  CHECK(!has(said.text, "sudo"));
}

TEST("without a verifier's log, EACCES and EPERM are a missing privilege") {
  for (const int error : {EACCES, EPERM}) {
    heard = {};
    print("libbpf: Error in %s():%s(%d). Couldn't load trivial BPF program.\n", "probe", "refused", error);
    const Said said = load_fails(error);
    CHECK_EQUAL(said.status, kRefused);
    CHECK(has(said.text, "CAP_BPF"));
  }
}

TEST("other errors name libbpf's cause in one line") {
  heard = {};
  print("libbpf: struct_ops init_kern: struct %s is not found in kernel BTF\nmore\n", "tcp_congestion_ops");
  print("libbpf: failed to load object '%s'\n", "object-0x1");
  const Said said = load_fails(ESRCH);
  CHECK_EQUAL(said.status, kUnsupported);
  CHECK_EQUAL(
      said.text,
      "mpd-coupled: this kernel does not take mpd_lia: No such process; libbpf: struct_ops init_kern: "
      "struct tcp_congestion_ops is not found in kernel BTF\n");
}

TEST("MPD_BPF_LOG prints the verifier's log whole") {
  std::string lines;
  for (int line = 0; line < 10'000; line++) lines += std::to_string(line) + ": (bf) r6 = r1\n";
  lines += kEnd;
  setenv("MPD_BPF_LOG", "1", 1);
  heard = {};
  const Said said = said_by([&lines] {
    refuse_by_verifier(lines);
    return 0;
  });
  unsetenv("MPD_BPF_LOG");
  CHECK(has(said.text, lines.c_str()));
  CHECK(has(said.text, "-- END PROG LOAD LOG --"));
  CHECK_EQUAL(heard.verifier_reason, "R1 invalid mem access 'scalar'");
}

int main() {
  for (const check::Test& test : check::tests()) {
    const int before = check::failures();
    test.body();
    std::printf("%s %s\n", check::failures() == before ? "ok  " : "FAIL", test.name);
  }
  return check::failures() == 0 ? 0 : 1;
}
