// Permits or denies requests about single connections. No system calls of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "announcements.h"
#include "path_manager.h"
#include "request.h"

namespace mpd::helper {

/** The line for events that the caller may have missed. */
inline constexpr char kEventsLost[] = "0 lost\n";

/** An MPTCP connection that the caller holds open, with its subflows. */
struct OwnConnection {
  Connection connection;
  std::vector<Subflow> subflows;
};

/** A subflow that is a backup by request. Plain data, so that it can be sent to another process. */
struct BackupSubflow {
  uint32_t token;
  Endpoint local;
  Endpoint remote;
  bool operator==(const BackupSubflow&) const = default;
};

/** The caller's connections, read anew for each request: the one of a token, or all. */
using OwnConnections = std::function<std::vector<OwnConnection>(std::optional<uint32_t> token)>;

/** Reads them through inet_diag; `callerUid` is the real user. */
OwnConnections ownConnectionsOf(uint32_t callerUid);

class SubflowController {
 public:
  /** Number of subflows of one connection, including those being established. */
  static constexpr size_t kMaxSubflows = 16;
  static constexpr size_t kMaxBackups = 256;
  /**
   * Called with all backups before the kernel is asked for a further one, and after one is gone. An exception
   * prevents the further one.
   */
  using OnBackups = std::function<void(const std::vector<BackupSubflow>&)>;

  /** `subscribe` turns the events on, once; it throws Failure if they are unavailable. */
  SubflowController(
      PathManager& kernel, OwnConnections own, std::function<void()> subscribe,
      OnBackups onBackups = [](const auto&) {})
      : kernel_(kernel),
        own_(std::move(own)),
        subscribe_(std::move(subscribe)),
        onBackups_(std::move(onBackups)) {}

  /** The answer, whole lines. Never throws. */
  std::string handle(const Request& request);
  /**
   * Handles an event of the path manager; returns the line for the caller, empty for other users'
   * connections, kEventsLost if its owner cannot be looked up.
   */
  std::string hear(uint8_t command, Bytes attributes);
  /**
   * Clears the backup flag of subflows that were set here or adopted. Created subflows end with their
   * connection. Never throws.
   */
  void restore();
  /** Takes over the backups of a process that was killed. */
  void adopt(std::vector<BackupSubflow> backups) { backups_ = std::move(backups); }

 private:
  std::string list(const std::string& start);
  void removeAddress(const Request& request);
  void create(const Request& request);
  void destroy(const Request& request);
  void setBackup(const Request& request);

  OwnConnection owned(uint32_t token);
  bool knowsRemote(const OwnConnection& own, const PmEndpoint& remote) const;
  void forget(const Request& request);
  void reportLess();
  void forgetEnded();

  PathManager& kernel_;
  OwnConnections own_;
  std::function<void()> subscribe_;
  OnBackups onBackups_;
  bool subscribed_ = false;
  Announcements announcements_;
  std::vector<BackupSubflow> backups_;
};

}  // namespace mpd::helper
