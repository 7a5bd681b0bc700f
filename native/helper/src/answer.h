// The form of every answer.
#pragma once

#include <string>
#include <string_view>

#include "../../addon/model.h"

namespace mpd::helper {

/**
 * Calls `work`, which returns the lines before the last. The last line is `SEQ ok` or `SEQ error CODE TEXT`.
 */
template <typename Work>
std::string answer(uint32_t sequence, Work&& work) {
  const std::string start = std::to_string(sequence) + " ";
  try {
    return work(start) + start + "ok\n";
  } catch (const Failure& failure) {
    const bool ours = std::string_view(failure.code()) != "NETLINK";
    return start + "error " + (ours ? failure.code() : "failed") + " " + failure.what() + "\n";
  } catch (const std::exception&) {
    return start + "error failed internal\n";
  }
}

}  // namespace mpd::helper
