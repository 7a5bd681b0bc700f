#include "controller.h"

#include <algorithm>
#include <unordered_map>

#include "../../addon/address.h"
#include "../../addon/collector.h"
#include "answer.h"

namespace mpd::helper {
namespace {

constexpr size_t kMaxChanges = 64;

uint32_t withBackup(uint32_t flags, bool on) {
  return on ? flags | kFlagBackup : flags & ~kFlagBackup;
}

}  // namespace

UseOf useByConnections(uint32_t callerUid) {
  return [callerUid](const Endpoint& address) {
    const Snapshot snapshot = takeSnapshot("", {});
    std::unordered_map<uint32_t, bool> callers;  // by token
    for (const Connection& connection : snapshot.connections) {
      // Nobody holds a socket without inode any more; it only finishes closing.
      if (connection.inode != 0) callers.emplace(connection.token(), connection.uid == callerUid);
    }
    Use use;
    for (const Subflow& subflow : snapshot.subflows) {
      if (!subflow.hasToken || !subflow.local.sameAddress(address)) continue;
      // The kernel owns the sockets of subflows; who owns the connection counts.
      const auto owner = callers.find(subflow.token);
      if (owner != callers.end()) (owner->second ? use.caller : use.others) = true;
    }
    return use;
  };
}

std::string Controller::handle(const Request& request) {
  return answer(request.sequence, [&](const std::string& start) {
    switch (request.verb) {
      case Verb::kList:
        return list(start);
      case Verb::kBackup:
        setBackup(request);
        break;
      case Verb::kRemove:
        remove(request);
        break;
      case Verb::kAdd:
        add(request);
        break;
      case Verb::kRestore:
        restore();
        break;
      case Verb::kKeep:
        keep();
        break;
      default:
        throw Failure("failed", "not about endpoints");
    }
    return std::string();
  });
}

std::string Controller::list(const std::string& start) {
  std::string out;
  for (const PmEndpoint& item : kernel_.list()) {
    out += start + "endpoint " + std::to_string(item.id) + " " + addressText(item.address) + " " +
           std::to_string(item.address.port) + " " + std::to_string(item.interfaceIndex) + " " +
           std::to_string(item.flags) + "\n";
  }
  return out;
}

std::optional<PmEndpoint> Controller::at(const Endpoint& address) {
  for (const PmEndpoint& item : kernel_.list()) {
    if (item.address == address) return item;
  }
  return std::nullopt;
}

PmEndpoint Controller::existing(const Request& request) {
  const auto found = at(request.address);
  if (!found || found->id != request.id) throw Failure("missing", "no such endpoint");
  return *found;
}

void Controller::requireCallersOwn(const Endpoint& address) {
  const Use use = useOf_(address);
  if (!use.caller) throw Failure("denied", "no MPTCP connection of yours uses this address");
  if (use.others) throw Failure("denied", "a connection of another user uses this address too");
}

Controller::Change* Controller::changeOf(const Endpoint& address) {
  const auto found = std::ranges::find_if(changes_, [&](const Change& c) { return c.address == address; });
  return found == changes_.end() ? nullptr : &*found;
}

void Controller::note(const Endpoint& address, std::optional<PmEndpoint> current,
                      std::optional<PmEndpoint> next) {
  Change* change = changeOf(address);
  if (!change) {
    if (changes_.size() == kMaxChanges) throw Failure("failed", "too many changes");
    change = &changes_.emplace_back(Change{address, current, next});
  } else if (change->now != current) {
    change->found = current;  // somebody else changed it since
  }
  change->now = next;
}

void Controller::setBackup(const Request& request) {
  const PmEndpoint current = existing(request);
  PmEndpoint next = current;
  next.flags = withBackup(current.flags, request.on);
  if (next == current) return;
  const Change* change = changeOf(request.address);
  const bool undoes = change && change->now == current && change->found == next;
  if (!undoes) requireCallersOwn(request.address);
  note(request.address, current, next);
  kernel_.setFlags(next);
}

void Controller::remove(const Request& request) {
  if (request.id == 0) {
    requireCallersOwn(request.address);
    if (closed_.size() == kMaxChanges) throw Failure("failed", "too many changes");
    PmEndpoint first;
    first.address = request.address;
    kernel_.remove(first);
    closed_.push_back(request.address);
    return;
  }
  const PmEndpoint current = existing(request);
  const Change* change = changeOf(request.address);
  const bool added = change && change->now == current && !change->found;
  if (!added) requireCallersOwn(request.address);
  if (added && useOf_(request.address).others) {
    throw Failure("denied", "a connection of another user uses this address too");
  }
  note(request.address, current, std::nullopt);
  kernel_.remove(current);
}

void Controller::add(const Request& request) {
  for (const PmEndpoint& item : kernel_.list()) {
    if (item.address == request.address || item.id == request.id) {
      throw Failure("exists", "the address or id has an endpoint already");
    }
  }
  const PmEndpoint next{request.id, request.address, request.flags, request.interfaceIndex};
  const Change* change = changeOf(request.address);
  if (change && !change->now && change->found) {
    PmEndpoint removed = *change->found;
    removed.flags = withBackup(removed.flags, (next.flags & kFlagBackup) != 0);
    if (next != removed) throw Failure("denied", "not the endpoint that was removed");
  } else {
    if ((next.flags & ~(kFlagSubflow | kFlagBackup)) != 0) throw Failure("denied", "only subflow and backup");
    if (next.interfaceIndex != 0 && !kernel_.hasInterface(next.interfaceIndex)) {
      throw Failure("missing", "no such interface");
    }
    const bool again =
        (change && !change->now) || std::ranges::find(closed_, request.address) != closed_.end();
    if (!again) requireCallersOwn(request.address);
  }
  note(request.address, std::nullopt, next);
  kernel_.add(next);
}

void Controller::undo(const Change& change) {
  const auto current = at(change.address);
  if (current != change.now || current == change.found) return;
  if (current && change.found) {
    kernel_.setFlags(*change.found);
  } else if (change.found) {
    kernel_.add(*change.found);
  } else if (current) {
    // Deleting it would also end the subflow of somebody else's connection.
    if (useOf_(change.address).others) {
      PmEndpoint harmless = *current;
      harmless.flags = withBackup(harmless.flags, false);
      kernel_.setFlags(harmless);
    } else {
      kernel_.remove(*current);
    }
  }
}

void Controller::restore() {
  // The last change first: an id may have been used again.
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    try {
      undo(*change);
    } catch (const std::exception&) {
      // The others are still put back.
    }
  }
  keep();
}

void Controller::keep() {
  changes_.clear();
  closed_.clear();
}

}  // namespace mpd::helper
