// The requirements of the coupled controls, and a line about the one that a kernel does not meet.
#pragma once

#include <bpf/btf.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

/** The kernel has these types only if it was built with what their names belong to. */
inline bool has_struct(const btf* types, const char* name) {
  return btf__find_by_name_kind(types, name, BTF_KIND_STRUCT) > 0;
}

/** The controls tell subflows apart by `subflow_id`, which Linux 6.5 added. */
inline bool is_too_old(const utsname& kernel) {
  unsigned major = 0;
  unsigned minor = 0;
  if (std::sscanf(kernel.release, "%u.%u", &major, &minor) != 2) return false;
  return major < 6 || (major == 6 && minor < 5);
}

/** @returns empty if the kernel has what every control needs. Pairs need more (`needs_of`). */
inline std::string what_kernel_lacks() {
  utsname kernel{};
  if (uname(&kernel) == 0 && is_too_old(kernel)) {
    return std::string("this kernel is Linux ") + kernel.release +
           "; the coupled controls need 6.5 or newer (BPF struct_ops, MPTCP's subflow_id)";
  }
  if (access("/sys/kernel/btf/vmlinux", R_OK) != 0) {
    return "this kernel has no BTF (/sys/kernel/btf/vmlinux, CONFIG_DEBUG_INFO_BTF), which BPF struct_ops "
           "needs";
  }
  btf* types = btf__load_vmlinux_btf();
  if (types == nullptr) return "this kernel's BTF (/sys/kernel/btf/vmlinux) is not readable by libbpf";
  std::string lacking;
  if (!has_struct(types, "bpf_struct_ops_tcp_congestion_ops")) {
    lacking =
        "this kernel has no BPF struct_ops for congestion controls (CONFIG_BPF_SYSCALL, CONFIG_BPF_JIT)";
  } else if (!has_struct(types, "mptcp_sock")) {
    lacking = "this kernel has no MPTCP (CONFIG_MPTCP), whose subflows the controls couple";
  }
  btf__free(types);
  return lacking;
}

/** The kernel did not allow it; it may be able to. */
inline bool is_refusal(int error) {
  return error == EPERM || error == EACCES;
}

/** The machine ran out of something; the kernel is able to. */
inline bool is_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN || error == EBUSY;
}

/** A further requirement of pairs. The letter behind the coupled control names the control of the path. */
inline const char* needs_of(std::string_view name) {
  const size_t at = name.rfind('_');
  const char path = at > 3 ? name[at + 1] : '\0';
  if (path == 'b') return " (it needs Linux 6.10 and tcp_bbr, CONFIG_TCP_CONG_BBR)";
  return path == 'c' ? " (it needs tcp_cubic, CONFIG_TCP_CONG_CUBIC)" : "";
}
