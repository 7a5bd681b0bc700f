#include "subflow_controller.h"

#include <sys/socket.h>

#include <algorithm>

#include "../../addon/address.h"
#include "../../addon/collector.h"
#include "../../addon/diag_socket.h"
#include "answer.h"

namespace mpd::helper {
namespace {

/** Longer than any event of today's kernels. */
constexpr size_t kMaxEventBytes = 200;

bool living(const Subflow& subflow) {
  return subflow.state != wire::kClose && subflow.state != wire::kTimeWait && subflow.state != wire::kListen;
}

const Subflow* find(const OwnConnection& own, const Endpoint& local, const Endpoint& remote) {
  const auto found = std::ranges::find_if(own.subflows, [&](const Subflow& subflow) {
    return living(subflow) && subflow.local == local && subflow.remote == remote;
  });
  return found == own.subflows.end() ? nullptr : &*found;
}

SubflowEnds endsOf(uint32_t token, const Subflow& subflow, bool backup) {
  SubflowEnds ends;
  ends.token = token;
  ends.local = {subflow.localId, subflow.local, backup ? kFlagBackup : 0, 0};
  ends.remote = {subflow.remoteId, subflow.remote, 0, 0};
  ends.mapped = subflow.family == AF_INET6 && !subflow.local.v6;
  return ends;
}

std::string endText(const Endpoint& end) {
  return addressText(end) + " " + std::to_string(end.port);
}

std::string hex(Bytes bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

bool isHeldBy(uint32_t uid, const Connection& connection) {
  // A socket without inode has no owner any more; a connection that fell back to TCP has no paths.
  return connection.inode != 0 && connection.uid == uid && connection.hasToken() &&
         (connection.info.data.flags & wire::kInfoFallback) == 0;
}

/** Requests the one connection of this token from the kernel. */
bool isHeldBy(uint32_t uid, uint32_t token) {
  DiagSocket socket("");
  RequestBatch batch;
  batch.addMptcpExact(1, token);
  bool held = false;
  socket.exchange(batch, [&](const DiagItem& item) {
    if (item.kind != DiagItem::Kind::kSocket) return;
    Connection connection;
    decodeMptcpSocket(item.payload, connection);
    held = isHeldBy(uid, connection) && connection.token() == token;
  });
  return held;
}

bool isForwarded(uint8_t command) {
  switch (command) {
    case kEventEstablished:
    case kEventAnnounced:
    case kEventRemoved:
    case kEventSubflowEstablished:
    case kEventSubflowClosed:
    case kEventSubflowPriority:
      return true;
    default:
      return false;
  }
}

}  // namespace

OwnConnections ownConnectionsOf(uint32_t callerUid) {
  return [callerUid](std::optional<uint32_t> token) {
    std::vector<OwnConnection> out;
    // Events of others' connections may be frequent: each costs one exact request, not a dump.
    if (token && !isHeldBy(callerUid, *token)) return out;
    const Snapshot snapshot = takeSnapshot("", {});
    for (const Connection& connection : snapshot.connections) {
      if (!isHeldBy(callerUid, connection)) continue;
      if (token && connection.token() != *token) continue;
      OwnConnection& own = out.emplace_back(OwnConnection{connection, {}});
      for (const Subflow& subflow : snapshot.subflows) {
        if (subflow.hasToken && subflow.token == connection.token()) own.subflows.push_back(subflow);
      }
    }
    return out;
  };
}

std::string SubflowController::handle(const Request& request) {
  return answer(request.sequence, [&](const std::string& start) {
    switch (request.verb) {
      case Verb::kConnections:
        return list(start);
      case Verb::kEvents:
        if (!subscribed_) subscribe_();
        subscribed_ = true;
        break;
      case Verb::kAddressRemove:
        removeAddress(request);
        break;
      case Verb::kSubflowCreate:
        create(request);
        break;
      case Verb::kSubflowDestroy:
        destroy(request);
        break;
      case Verb::kSubflowBackup:
        setBackup(request);
        break;
      default:
        throw Failure("failed", "not about connections");
    }
    return std::string();
  });
}

std::string SubflowController::list(const std::string& start) {
  std::string out;
  for (const OwnConnection& own : own_(std::nullopt)) {
    const std::string token = std::to_string(own.connection.token());
    out.append(start).append("connection ").append(token).append(" ");
    out.append(endText(own.connection.remote)).append("\n");
    for (const Subflow& item : own.subflows) {
      out.append(start).append("subflow ").append(token).append(" ");
      out.append(endText(item.local)).append(" ").append(endText(item.remote));
      for (const uint32_t number :
           {uint32_t{item.localId}, uint32_t{item.remoteId}, uint32_t{item.state}, item.flags}) {
        out.append(" ").append(std::to_string(number));
      }
      out.append("\n");
    }
  }
  return out;
}

std::string SubflowController::hear(uint8_t command, Bytes attributes) {
  PmEvent event;
  try {
    event = decodeEvent(command, attributes);
  } catch (const std::exception&) {
    return "";
  }
  if (command == kEventClosed) announcements_.hear(event);
  if (!event.hasToken || !isForwarded(command) || attributes.size() > kMaxEventBytes) return "";
  try {
    if (own_(event.token).empty()) return "";
    announcements_.hear(event);
    return "0 event " + std::to_string(command) + " " + hex(attributes) + "\n";
  } catch (const std::exception&) {
    // Nobody knows whose event it was, so it may have been the caller's.
    return kEventsLost;
  }
}

OwnConnection SubflowController::owned(uint32_t token) {
  std::vector<OwnConnection> found = own_(token);
  // The same answer as for a missing connection, so that it reveals nothing about other users' connections.
  if (found.size() != 1) throw Failure("denied", "no MPTCP connection of yours has this token");
  return std::move(found.front());
}

bool SubflowController::knowsRemote(const OwnConnection& own, const PmEndpoint& remote) const {
  if (remote.id == 0 && remote.address == own.connection.remote) return true;
  const bool used = std::ranges::any_of(own.subflows, [&](const Subflow& subflow) {
    return subflow.remoteId == remote.id && subflow.remote == remote.address;
  });
  return used || announcements_.has(own.connection.token(), remote);
}

void SubflowController::removeAddress(const Request& request) {
  const OwnConnection own = owned(request.token);
  const bool used = std::ranges::any_of(own.subflows, [&](const Subflow& subflow) {
    return living(subflow) && subflow.hasLocalId && subflow.localId == request.id;
  });
  if (!used) throw Failure("missing", "no subflow has this id");
  kernel_.removeAddress(request.token, request.id);
}

void SubflowController::create(const Request& request) {
  const OwnConnection own = owned(request.token);
  const PmEndpoint remote{request.remoteId, request.remote, 0, 0};
  if (!knowsRemote(own, remote)) throw Failure("denied", "not an address of this connection's other end");
  size_t count = 0;
  for (const Subflow& subflow : own.subflows) {
    if (!living(subflow)) continue;
    ++count;
    const bool sameAddress = subflow.local.sameAddress(request.address);
    if (sameAddress && subflow.remote == request.remote)
      throw Failure("exists", "this subflow exists already");
    if (!sameAddress && subflow.localId == request.id) throw Failure("exists", "another address has this id");
  }
  if (count >= kMaxSubflows) throw Failure("failed", "too many subflows");
  if (request.interfaceIndex != 0 && !kernel_.hasInterface(request.interfaceIndex)) {
    throw Failure("missing", "no such interface");
  }
  SubflowEnds ends;
  ends.token = request.token;
  const uint32_t flags = kFlagSubflow | (request.on ? kFlagBackup : 0);
  ends.local = {request.id, request.address, flags, request.interfaceIndex};
  ends.remote = remote;
  kernel_.createSubflow(ends);
}

void SubflowController::destroy(const Request& request) {
  const OwnConnection own = owned(request.token);
  const Subflow* subflow = find(own, request.address, request.remote);
  if (!subflow) throw Failure("missing", "no such subflow");
  kernel_.destroySubflow(endsOf(request.token, *subflow, false));
  forget(request);
}

void SubflowController::setBackup(const Request& request) {
  const OwnConnection own = owned(request.token);
  const Subflow* subflow = find(own, request.address, request.remote);
  if (!subflow) throw Failure("missing", "no such subflow");
  if (request.on && backups_.size() == kMaxBackups) forgetEnded();
  if (request.on && backups_.size() == kMaxBackups) throw Failure("failed", "too many changes");
  const BackupSubflow changed{request.token, request.address, request.remote};
  const bool isNew = request.on && std::ranges::find(backups_, changed) == backups_.end();
  if (isNew) backups_.push_back(changed);
  try {
    if (isNew) onBackups_(backups_);
    kernel_.setSubflowFlags(endsOf(request.token, *subflow, request.on));
  } catch (const Failure&) {
    if (isNew) forget(request);
    throw;
  }
  if (!request.on) forget(request);
}

void SubflowController::forget(const Request& request) {
  if (std::erase(backups_, BackupSubflow{request.token, request.address, request.remote}) > 0) reportLess();
}

void SubflowController::reportLess() {
  try {
    onBackups_(backups_);
  } catch (const std::exception&) {
    // The change is made already. Without a second process the helper ends by itself.
  }
}

void SubflowController::forgetEnded() {
  const std::vector<OwnConnection> all = own_(std::nullopt);
  std::erase_if(backups_, [&](const BackupSubflow& item) {
    return std::ranges::none_of(all, [&](const OwnConnection& own) {
      return own.connection.token() == item.token && find(own, item.local, item.remote) != nullptr;
    });
  });
}

void SubflowController::restore() {
  if (backups_.empty()) return;
  for (const BackupSubflow& item : backups_) {
    try {
      const OwnConnection own = owned(item.token);
      const Subflow* subflow = find(own, item.local, item.remote);
      if (subflow) kernel_.setSubflowFlags(endsOf(item.token, *subflow, false));
    } catch (const std::exception&) {
      // That connection has ended; the others are still restored.
    }
  }
  backups_.clear();
  reportLess();
}

}  // namespace mpd::helper
