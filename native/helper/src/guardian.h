// A second process that restores endpoints and subflows after the first one was killed.
#pragma once

#include <functional>
#include <vector>

#include "../../addon/file.h"
#include "controller.h"
#include "subflow_controller.h"

namespace mpd::helper {

/** The changes in force. */
struct Changes {
  std::vector<Change> endpoints;
  std::vector<BackupSubflow> backups;
};

class Guardian {
 public:
  /** Undoes the last reported changes; runs in the second process, after the first one's end. */
  using Undo = std::function<void(Changes)>;
  /** Opens what the undoing needs; runs in the second process, at its start. */
  using Prepare = std::function<Undo()>;

  /** Starts it. Throws Failure. */
  explicit Guardian(const Prepare& prepare);
  /**
   * Each reports all changes of its kind in force, before the next is made. Throws Failure if nobody would
   * undo them.
   */
  void report(const std::vector<Change>& endpoints) const;
  void report(const std::vector<BackupSubflow>& backups) const;
  /** Readable after its end. */
  int fd() const { return socket_.fd(); }

 private:
  File socket_;
};

}  // namespace mpd::helper
