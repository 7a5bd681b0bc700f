// The request grammar, one request a line. Pure; fuzzed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../addon/model.h"

namespace mpd::helper {

inline constexpr size_t kMaxLine = 191;

// MPTCP_PM_ADDR_FLAG_*.
inline constexpr uint32_t kFlagSignal = 1;
inline constexpr uint32_t kFlagSubflow = 2;
inline constexpr uint32_t kFlagBackup = 4;
inline constexpr uint32_t kFlagFullmesh = 8;
inline constexpr uint32_t kAllFlags = 31;

enum class Verb {
  kList,
  kBackup,
  kRemove,
  kAdd,
  kRestore,
  kConnections,
  kEvents,
  kAddressRemove,
  kSubflowCreate,
  kSubflowDestroy,
  kSubflowBackup,
};

/** True for requests about single connections, false for endpoints. */
constexpr bool isOfConnections(Verb verb) {
  return verb >= Verb::kConnections;
}

struct Request {
  uint32_t sequence = 0;
  Verb verb = Verb::kList;
  /** Id of the endpoint, or of the local address of a connection. */
  uint8_t id = 0;
  /** Address of the endpoint, or the local end of a subflow. */
  Endpoint address;
  /** kBackup, kSubflowBackup; kSubflowCreate: a backup from the start. */
  bool on = false;
  /** kAdd, kSubflowCreate. */
  uint32_t interfaceIndex = 0;
  /** kAdd. */
  uint32_t flags = 0;
  /** The connection's token, for requests about one connection. The next two fields: kSubflow*. */
  uint32_t token = 0;
  Endpoint remote;
  uint8_t remoteId = 0;
};

/**
 * Reads one line without its newline. Nothing but exactly one of these forms is accepted, numbers without
 * sign or leading zero, words apart by one space:
 *   SEQ list | SEQ restore | SEQ backup ID ADDRESS on|off | SEQ remove ID ADDRESS
 *   SEQ add ID ADDRESS INTERFACE FLAGS | SEQ connections | SEQ events
 *   SEQ subflow-create TOKEN ID ADDRESS INTERFACE REMOTEID REMOTE PORT on|off
 *   SEQ address-remove TOKEN ID
 *   SEQ subflow-destroy TOKEN ADDRESS PORT REMOTE PORT
 *   SEQ subflow-backup TOKEN ADDRESS PORT REMOTE PORT on|off
 */
std::optional<Request> parseRequest(std::string_view line);

/** Splits a byte stream into lines; a line longer than kMaxLine is returned once, as nullopt. */
class LineReader {
 public:
  template <typename OnLine>
  void feed(std::string_view bytes, OnLine&& onLine) {
    for (const char byte : bytes) {
      if (byte == '\n') {
        onLine(tooLong_ ? std::nullopt : std::optional<std::string_view>(line_));
        line_.clear();
        tooLong_ = false;
      } else if (line_.size() < kMaxLine) {
        line_.push_back(byte);
      } else {
        tooLong_ = true;
      }
    }
  }

 private:
  std::string line_;
  bool tooLong_ = false;
};

}  // namespace mpd::helper
