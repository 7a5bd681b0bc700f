// A second process that restores endpoints after the first one was killed.
#pragma once

#include <functional>
#include <vector>

#include "../../addon/file.h"
#include "controller.h"

namespace mpd::helper {

class Guardian {
 public:
  /** Undoes the last reported changes; runs in the second process, after the first one's end. */
  using Undo = std::function<void(std::vector<Change>)>;

  /** Starts it. Throws Failure. */
  explicit Guardian(const Undo& undo);
  /** Reports all changes in force, before the next is made. Throws Failure if nobody would undo them. */
  void report(const std::vector<Change>& changes) const;
  /** Readable after its end. */
  int fd() const { return socket_.fd(); }

 private:
  File socket_;
};

}  // namespace mpd::helper
