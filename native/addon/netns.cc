#include "netns.h"

#include <fcntl.h>
#include <sched.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>

#include "file.h"
#include "model.h"

namespace mpd {
namespace {

[[noreturn]] void unavailable(const std::string& path, const char* verb, int error) {
  const char* hint = error == ENOENT  ? "; `ip netns list` shows those that exist"
                     : error == EPERM ? "; entering one needs CAP_SYS_ADMIN here and in its user namespace"
                                      : "";
  throw Failure("NETNS_UNAVAILABLE",
                std::string("cannot ") + verb + " network namespace " + path + ": " + strerror(error) + hint,
                error);
}

std::string pathOf(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  if (name == "." || name == "..") throw Failure("BAD_ARGUMENT", "netns: \"" + name + "\" is no name");
  return "/run/netns/" + name;
}

}  // namespace

void inNetworkNamespace(const std::string& name, const std::function<void()>& work) {
  if (name.empty()) return work();
  const std::string path = pathOf(name);
  const File ns(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!ns.valid()) unavailable(path, "open", errno);

  std::exception_ptr failure;
  std::thread visitor([&] {
    try {
      if (setns(ns.fd(), CLONE_NEWNET) != 0) unavailable(path, "enter", errno);
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  visitor.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mpd
