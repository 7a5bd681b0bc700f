// Permits or denies requests about endpoints, and restores everything at the end. No system calls of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "path_manager.h"
#include "request.h"
#include "use.h"

namespace mpd::helper {

/** An endpoint that differs from its original state; plain data, so that it can be sent to another process.
 */
struct Change {
  Endpoint address;
  /** Empty for an endpoint made here. */
  std::optional<PmEndpoint> found;
  std::optional<PmEndpoint> now;
};

struct ControllerOptions {
  UseOf useOf;
  /** True if the address belongs to this machine. */
  IsLocal isLocal;
  /** The administrator permits changes of the backup flag of plain endpoints while the helper runs. */
  bool lends = false;
  /** Called with all changes before the kernel is asked for the next one; an exception prevents that one. */
  std::function<void(const std::vector<Change>&)> onChanges = [](const auto&) {};
};

class Controller {
 public:
  /** More networks than any machine has. */
  static constexpr size_t kMaxChanges = 32;

  Controller(PathManager& kernel, ControllerOptions options)
      : kernel_(kernel), options_(std::move(options)) {}

  /** The answer, whole lines. Never throws. */
  std::string handle(const Request& request);
  /** Restores everything except later changes of other programs. Never throws. */
  void restore();
  /** Takes over the changes of an ended process, to restore them. */
  void adopt(std::vector<Change> changes) { changes_ = std::move(changes); }

 private:
  std::string list(const std::string& start);
  void setBackup(const Request& request);
  void remove(const Request& request);
  void add(const Request& request);
  void undo(const Change& change);

  PmEndpoint existing(const Request& request);
  std::optional<PmEndpoint> at(const Endpoint& address);
  bool isOwn(const PmEndpoint& current);
  /** Throws Failure unless the endpoint is plain and lent. */
  void requireLent(const PmEndpoint& current);
  /** Throws Failure unless the caller, and nobody else, uses the address. */
  void requireCallersOwn(const Endpoint& address);
  /** Throws Failure if another user uses the address. */
  void requireNoOthers(const Endpoint& address);
  /**
   * Throws Failure unless the caller has a connection and a new endpoint there would concern the caller
   * alone. `again`: an endpoint or first subflows there were removed before, so connections of others
   * elsewhere do not prevent it.
   */
  void requireRoomFor(const Endpoint& address, bool again);
  Change* changeOf(const Endpoint& address);
  /** Throws Failure unless a change is permitted. */
  using Check = std::function<void()>;
  /** Records and reports a change, checks it once more, then makes it. After a failure the record is as
   * before. */
  void change(const Endpoint& address, std::optional<PmEndpoint> current, std::optional<PmEndpoint> next,
              const Check& check);
  /** Reports the record; a failure has no effect. */
  void report();
  void note(const Endpoint& address, std::optional<PmEndpoint> current, std::optional<PmEndpoint> next);

  PathManager& kernel_;
  ControllerOptions options_;
  std::vector<Change> changes_;
  /** Addresses whose first subflows were closed: an endpoint may be added there afterwards. */
  std::vector<Endpoint> closed_;
};

}  // namespace mpd::helper
