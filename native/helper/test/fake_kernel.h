// A path manager in memory.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../../addon/address.h"
#include "../src/path_manager.h"

namespace mpd::helper {

inline Endpoint address(const char* text, uint16_t port = 0) {
  return *parseAddress(text, port);
}

class FakeKernel : public PathManager {
 public:
  std::vector<PmEndpoint> endpoints;
  int changes = 0;
  /** Recorded subflow commands: a word and the ends. */
  std::vector<std::pair<std::string, SubflowEnds>> asked;
  std::vector<std::pair<uint32_t, uint8_t>> removed;

  std::vector<PmEndpoint> list() override { return endpoints; }
  void add(const PmEndpoint& endpoint) override {
    ++changes;
    endpoints.push_back(endpoint);
  }
  void remove(const PmEndpoint& endpoint) override {
    ++changes;
    std::erase_if(endpoints, [&](const PmEndpoint& item) { return item.id == endpoint.id; });
  }
  void setFlags(const PmEndpoint& endpoint) override {
    ++changes;
    for (PmEndpoint& item : endpoints) {
      if (item.id == endpoint.id) item.flags = endpoint.flags;
    }
  }
  bool hasInterface(uint32_t index) override { return index == 3; }
  void createSubflow(const SubflowEnds& ends) override { asked.emplace_back("create", ends); }
  void destroySubflow(const SubflowEnds& ends) override { asked.emplace_back("destroy", ends); }
  void removeAddress(uint32_t token, uint8_t id) override { removed.emplace_back(token, id); }
  void setSubflowFlags(const SubflowEnds& ends) override { asked.emplace_back("flags", ends); }
};

}  // namespace mpd::helper
