#pragma once

#include <stdexcept>
#include <string>

namespace mpd::link {

/// A refused command line; `field()` names the place.
class CommandError : public std::runtime_error {
 public:
  CommandError(std::string field, const std::string& message)
      : std::runtime_error(message), field_(std::move(field)) {}
  [[nodiscard]] const std::string& field() const { return field_; }

 private:
  std::string field_;
};

}  // namespace mpd::link
