#include "privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "../../addon/model.h"

namespace mpd::helper {
namespace {

constexpr int kCapabilityWords = 2;
constexpr unsigned long kLastCapability = 63;

std::optional<uint32_t> numberFrom(const char* name) {
  const char* text = std::getenv(name);
  if (!text) return std::nullopt;
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  if (error != std::errc() || *end != '\0' || value == UINT32_MAX) return std::nullopt;
  return value;
}

void must(bool done, const char* what) {
  if (!done) throw Failure("PRIVILEGE", std::string(what) + ": " + strerror(errno), errno);
}

/** sudo and pkexec run as root and name the caller; only root could forge that. */
void becomeCaller() {
  if (getuid() != 0) return;
  auto uid = numberFrom("SUDO_UID");
  if (!uid) uid = numberFrom("PKEXEC_UID");
  if (!uid || *uid == 0) return;
  const uint32_t gid = numberFrom("SUDO_GID").value_or(*uid);
  must(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0, "keepcaps");
  must(setgroups(0, nullptr) == 0, "setgroups");
  must(setresgid(gid, gid, gid) == 0, "setresgid");
  must(setresuid(*uid, *uid, *uid) == 0, "setresuid");
}

}  // namespace

uint32_t keepOnlyNetAdmin() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[kCapabilityWords]{};
  must(syscall(SYS_capget, &header, data) == 0, "capget");
  constexpr uint32_t kNetAdmin = 1u << CAP_NET_ADMIN;
  if (!(data[0].permitted & kNetAdmin)) {
    throw Failure("PRIVILEGE",
                  "CAP_NET_ADMIN is missing; as root: setcap cap_net_admin+ep /path/of/mpd-pathctl");
  }
  // Requires CAP_SETPCAP; without it, no_new_privs alone keeps children from gaining privileges.
  for (unsigned long capability = 0; capability <= kLastCapability; ++capability) {
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  becomeCaller();
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  data[0] = {kNetAdmin, kNetAdmin, 0};
  data[1] = {};
  must(syscall(SYS_capset, &header, data) == 0, "capset");
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "dumpable");
  return getuid();
}

bool lendsEndpoints(const char* file) {
  struct stat about;
  return lstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == 0 &&
         (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace mpd::helper
