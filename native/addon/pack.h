// Encodes snapshots as numbers and texts for unpack.js. No N-API.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "model.h"

namespace mpd {

class Packer {
 public:
  explicit Packer(std::span<const Snapshot> snapshots);
  const std::vector<double>& numbers() const { return numbers_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  void put(double value) { numbers_.push_back(value); }
  /** Writes the index of a text, without a search for an equal one. */
  void putText(std::string text);
  /** The same for a recurring text. */
  void putSharedText(const std::string& text);
  void putEndpoint(const Endpoint& endpoint);
  void putSocket(const Socket& socket);
  void putConnection(const Connection& connection);
  void putSubflow(const Subflow& subflow);
  void putTcpInfo(const TcpInfo& info);

  std::vector<double> numbers_;
  std::vector<std::string> texts_;
  std::map<std::string, double> shared_;
  std::map<std::array<uint8_t, 17>, double> addresses_;
};

}  // namespace mpd
