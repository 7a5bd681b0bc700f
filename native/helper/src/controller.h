// Decides what of a request about endpoints is done, and undoes everything at the end. No system calls of its
// own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "path_manager.h"
#include "request.h"

namespace mpd::helper {

/** Whose MPTCP connections have a subflow from an address. */
struct Use {
  bool caller = false;
  bool others = false;
};
using UseOf = std::function<Use(const Endpoint& address)>;

/** Finds that out from the kernel; `callerUid` is the real user. */
UseOf useByConnections(uint32_t callerUid);

class Controller {
 public:
  Controller(PathManager& kernel, UseOf useOf) : kernel_(kernel), useOf_(std::move(useOf)) {}

  /** The answer, whole lines. Never throws. */
  std::string handle(const Request& request);
  /** Puts back everything as found, but for what somebody else changed since. Never throws. */
  void restore();
  /** Endpoints as they stand count as found from now on: they are those of before a player that crashed. */
  void keep();

 private:
  struct Change {
    Endpoint address;
    std::optional<PmEndpoint> found;
    std::optional<PmEndpoint> now;
  };

  std::string list(const std::string& start);
  void setBackup(const Request& request);
  void remove(const Request& request);
  void add(const Request& request);
  void undo(const Change& change);

  PmEndpoint existing(const Request& request);
  std::optional<PmEndpoint> at(const Endpoint& address);
  /** Throws Failure unless the caller, and nobody else, uses the address. */
  void requireCallersOwn(const Endpoint& address);
  Change* changeOf(const Endpoint& address);
  void note(const Endpoint& address, std::optional<PmEndpoint> current, std::optional<PmEndpoint> next);

  PathManager& kernel_;
  UseOf useOf_;
  std::vector<Change> changes_;
  /** Addresses whose first subflows were closed: an endpoint may be added there afterwards. */
  std::vector<Endpoint> closed_;
};

}  // namespace mpd::helper
