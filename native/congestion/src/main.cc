// mpd-coupled: loads the coupled congestion controls into the kernel and takes them out again.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages.h"
#include "requirements.h"

#define EMBED(name)                                                                                    \
  extern "C" const char name##_begin[], name##_end[];                                                  \
  asm(".section .rodata\n.balign 8\n" #name "_begin:\n.incbin \"" OBJECTS "/" #name ".bpf.o\"\n" #name \
      "_end:\n.previous\n")
EMBED(lia);
EMBED(olia);
EMBED(balia);
EMBED(wvegas);
EMBED(mcc);
// A coupled control above each control of the path, in both readings (`pair.bpf.c`).
#define EMBED_PAIRS(coupled) \
  EMBED(coupled##_rt);       \
  EMBED(coupled##_rp);       \
  EMBED(coupled##_ct);       \
  EMBED(coupled##_cp);       \
  EMBED(coupled##_bt);       \
  EMBED(coupled##_bp)
EMBED_PAIRS(lia);
EMBED_PAIRS(olia);
EMBED_PAIRS(balia);
EMBED_PAIRS(wvegas);

namespace {

/** Map flag of 6.4 and later: a link registers the control, and its end takes it out. Not in Debian 12's
 * headers. */
constexpr unsigned kLinkFlag = 1U << 13;
constexpr auto kStructOps = static_cast<bpf_attach_type>(44);

struct Control {
  std::string_view name;
  const char* begin;
  const char* end;
};

#define CONTROL(name) \
  { "mpd_" #name, name##_begin, name##_end }
#define PAIRS(coupled)                                                                        \
  CONTROL(coupled##_rt), CONTROL(coupled##_rp), CONTROL(coupled##_ct), CONTROL(coupled##_cp), \
      CONTROL(coupled##_bt), CONTROL(coupled##_bp)
const Control kControls[] = {
    CONTROL(lia), CONTROL(olia), CONTROL(balia), CONTROL(wvegas), CONTROL(mcc),
    PAIRS(lia),   PAIRS(olia),   PAIRS(balia),   PAIRS(wvegas),
};

const Control* find(std::string_view name) {
  const auto* end = std::end(kControls);
  const auto* found = std::find_if(kControls, end, [&](const Control& one) { return one.name == name; });
  return found == end ? nullptr : found;
}

/** The id of the registered map of this name. */
std::optional<__u32> registered(std::string_view name) {
  for (__u32 id = 0; bpf_map_get_next_id(id, &id) == 0;) {
    const int fd = bpf_map_get_fd_by_id(id);
    if (fd < 0) continue;
    bpf_map_info info{};
    __u32 size = sizeof info;
    const bool is_ours = bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
                         info.type == BPF_MAP_TYPE_STRUCT_OPS && name == info.name;
    close(fd);
    if (is_ours) return id;
  }
  return std::nullopt;
}

/** The kernel's list, which also names controls of other origin. */
bool is_available(std::string_view name) {
  FILE* file = std::fopen("/proc/sys/net/ipv4/tcp_available_congestion_control", "re");
  if (file == nullptr) return false;
  char word[64];
  bool found = false;
  while (!found && std::fscanf(file, "%63s", word) == 1) found = name == word;
  std::fclose(file);
  return found;
}

/** A descriptor of the link that registers the control, if one does: the process of a running lab made it. */
std::optional<int> link_of(std::string_view name) {
  const std::optional<__u32> map = registered(name);
  if (!map) return std::nullopt;
  for (__u32 id = 0; bpf_link_get_next_id(id, &id) == 0;) {
    const int fd = bpf_link_get_fd_by_id(id);
    if (fd < 0) continue;
    bpf_link_info info{};
    __u32 size = sizeof info;
    // Debian 12's headers do not have `struct_ops.map_id`, which lies where `xdp.ifindex` does.
    if (bpf_obj_get_info_by_fd(fd, &info, &size) == 0 && info.type == BPF_LINK_TYPE_STRUCT_OPS &&
        info.xdp.ifindex == *map) {
      return fd;
    }
    close(fd);
  }
  return std::nullopt;
}

int refuse_held(std::string_view name, const char* advice) {
  std::fprintf(stderr, "mpd-coupled: a running lab holds %s; it goes when the lab ends%s\n", name.data(),
               advice);
  return kRefused;
}

/** True if this process may see the maps and links of others. */
bool may_look() {
  __u32 id = 0;
  return bpf_map_get_next_id(0, &id) == 0 || errno == ENOENT;
}

/**
 * A control that the kernel has already. `hold` takes part in another process's hold: the control stays until
 * its last holder ends. `load` promises more than a hold keeps.
 */
int take_present(std::string_view name, bool holds) {
  if (!holds && !may_look()) {
    std::fprintf(stderr,
                 "mpd-coupled: %s is loaded, but only root sees whether a running lab holds it: use sudo\n",
                 name.data());
    return kRefused;
  }
  const std::optional<int> link = link_of(name);
  if (holds || !link) return 0;  // A holder's descriptor stays open.
  close(*link);
  return refuse_held(name, ": load it then");
}

/** @param holds true: the control leaves the kernel with this process. @returns an exit status */
int load(const Control& control, bool holds) {
  if (is_available(control.name)) return take_present(control.name, holds);
  heard = {};
  bpf_object* object =
      bpf_object__open_mem(control.begin, static_cast<size_t>(control.end - control.begin), nullptr);
  if (object == nullptr) return explain_load(control.name, errno);
  bpf_map* map = bpf_object__find_map_by_name(object, std::string(control.name).c_str());
  if (holds) bpf_map__set_map_flags(map, kLinkFlag);
  if (const int error = bpf_object__load(object); error != 0) return explain_load(control.name, -error);
  bpf_link* entry = bpf_map__attach_struct_ops(map);
  if (entry == nullptr) return explain_load(control.name, errno);
  if (!holds) {
    // The kernel keeps a registered map. libbpf's link would take it out at its end.
    bpf_link__disconnect(entry);
    return 0;
  }
  // libbpf 1.2 and newer have made the link; older ones return the map in its place.
  if (bpf_link__fd(entry) != bpf_map__fd(map)) return 0;
  const int link = bpf_link_create(bpf_map__fd(map), 0, kStructOps, nullptr);
  return link < 0 ? explain_load(control.name, -link) : 0;
}

int unload(const Control& control) {
  const std::optional<__u32> id = registered(control.name);
  if (!id) return 0;
  const int fd = bpf_map_get_fd_by_id(*id);
  if (fd < 0) return explain("unload", control.name, errno);
  const __u32 key = 0;
  const int error = bpf_map_delete_elem(fd, &key) == 0 ? 0 : errno;
  close(fd);
  if (error == EOPNOTSUPP) return refuse_held(control.name, "");
  return error == 0 || error == ENOENT ? 0 : explain("unload", control.name, error);
}

int list() {
  for (const Control& control : kControls) {
    std::printf("%s %s\n", control.name.data(), is_available(control.name) ? "loaded" : "-");
  }
  return 0;
}

/** Prints how many programs and maps the kernel holds, of any origin: a load that leaks leaves more. */
int count() {
  unsigned programs = 0;
  unsigned maps = 0;
  __u32 id = 0;
  while (bpf_prog_get_next_id(id, &id) == 0) programs++;
  int error = errno;
  for (id = 0; bpf_map_get_next_id(id, &id) == 0;) maps++;
  if (error == ENOENT) error = errno;
  if (error != ENOENT) return explain("count", "programs and maps", error);
  std::printf("programs %u maps %u\n", programs, maps);
  return 0;
}

/** Waits until stdin closes or a signal ends the process. The links close with it, after a SIGKILL too. */
void wait_for_end() {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::puts("ready");
  std::fflush(stdout);
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

/** Says what the kernel lacks for every control. */
bool check() {
  const std::string lacking = what_kernel_lacks();
  if (!lacking.empty()) std::fprintf(stderr, "mpd-coupled: %s\n", lacking.c_str());
  return lacking.empty();
}

int usage() {
  std::fputs(
      "usage: mpd-coupled list | check | count | load NAME... | unload [NAME...] | hold NAME...\n"
      "names: mpd_lia mpd_olia mpd_balia mpd_wvegas mpd_mcc\n"
      "check says what this kernel lacks for them; it needs no privileges\n"
      "hold loads and stays; when stdin closes or it is killed, the controls leave the kernel\n",
      stderr);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage();
  const std::string_view command = argv[1];
  if (command == "list" && argc == 2) return list();
  libbpf_set_print(remember);
  if (command == "check" && argc == 2) return check() ? 0 : kUnsupported;
  if (command == "count" && argc == 2) return count();
  std::vector<const Control*> chosen;
  for (int i = 2; i < argc; i++) {
    const Control* control = find(argv[i]);
    if (control == nullptr) {
      std::fprintf(stderr, "mpd-coupled: there is no control %s\n", argv[i]);
      return usage();
    }
    chosen.push_back(control);
  }
  const bool loads = command == "load" || command == "hold";
  if (!loads && command != "unload") return usage();
  if (chosen.empty()) {
    if (loads) return usage();
    for (const Control& control : kControls) chosen.push_back(&control);
  }
  if (loads && !check()) return kUnsupported;
  for (const Control* control : chosen) {
    const int status = loads ? load(*control, command == "hold") : unload(*control);
    if (status != 0) return status;
  }
  if (command == "hold") wait_for_end();
  return 0;
}
