#include "controller.h"

#include <algorithm>

#include "../../addon/address.h"
#include "answer.h"

namespace mpd::helper {
namespace {

uint32_t withBackup(uint32_t flags, bool on) {
  return on ? flags | kFlagBackup : flags & ~kFlagBackup;
}

/** 127.0.0.0/8, ::1, addresses of link scope, and "any", which the routing table calls local too. */
bool isLoopbackOrLinkLocal(const Endpoint& address) {
  const auto& bytes = address.address;
  if (!address.v6) return bytes[0] == 0 || bytes[0] == 127 || (bytes[0] == 169 && bytes[1] == 254);
  const bool linkLocal = bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
  const bool zeros = std::all_of(bytes.begin(), bytes.end() - 1, [](uint8_t byte) { return byte == 0; });
  return linkLocal || (zeros && bytes[15] <= 1);
}

}  // namespace

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

bool Controller::isOwn(const PmEndpoint& current) {
  const Change* change = changeOf(current.address);
  return change && change->now == current && !change->found;
}

void Controller::requireLent(const PmEndpoint& current) {
  const Change* change = changeOf(current.address);
  const PmEndpoint& found = change && change->now == current && change->found ? *change->found : current;
  if (!options_.lends || found.flags != kFlagSubflow) {
    throw Failure("foreign", "this endpoint was not made here; it stays unchanged");
  }
  if (current != found) return;
  requireCallersOwn(current.address);
}

void Controller::requireCallersOwn(const Endpoint& address) {
  const Use use = options_.useOf(address);
  if (!use.caller) throw Failure("denied", "no MPTCP connection of yours to elsewhere uses this address");
  if (use.others) throw Failure("denied", "a connection of another user uses this address too");
}

void Controller::requireNoOthers(const Endpoint& address) {
  if (options_.useOf(address).others) {
    throw Failure("denied", "a connection of another user uses this address too");
  }
}

void Controller::requireRoomFor(const Endpoint& address, bool again) {
  if (isLoopbackOrLinkLocal(address) || !options_.isLocal(address)) {
    throw Failure("missing", "not an address of this machine with a route elsewhere");
  }
  const Use use = options_.useOf(address);
  if (!use.callerAnywhere) throw Failure("denied", "no MPTCP connection of yours to elsewhere is open");
  if (use.others) throw Failure("denied", "a connection of another user uses this address too");
  // The kernel would open a subflow from this address for those connections as well. A player that closes and
  // opens a path again may do that.
  if (!again && !use.caller && use.othersAnywhere)
    throw Failure("denied", "another user has an MPTCP connection");
}

Change* Controller::changeOf(const Endpoint& address) {
  const auto found = std::ranges::find_if(changes_, [&](const Change& c) { return c.address == address; });
  return found == changes_.end() ? nullptr : &*found;
}

void Controller::note(const Endpoint& address, std::optional<PmEndpoint> current,
                      std::optional<PmEndpoint> next) {
  Change* change = changeOf(address);
  if (!change) {
    if (changes_.size() == kMaxChanges)
      std::erase_if(changes_, [](const Change& c) { return c.now == c.found; });
    if (changes_.size() == kMaxChanges) throw Failure("failed", "too many changes");
    change = &changes_.emplace_back(Change{address, current, next});
  } else if (change->now != current) {
    change->found = current;  // Another program changed it since.
  }
  change->now = next;
}

void Controller::change(const Endpoint& address, std::optional<PmEndpoint> current,
                        std::optional<PmEndpoint> next, const Check& check) {
  const std::vector<Change> before = changes_;
  try {
    note(address, current, next);
    options_.onChanges(changes_);
    // Time may have passed since the first check: the caller can stop this process.
    check();
    if (!next) {
      kernel_.remove(*current);
    } else if (current) {
      kernel_.setFlags(*next);
    } else {
      kernel_.add(*next);
    }
  } catch (const std::exception&) {
    changes_ = before;
    report();
    throw;
  }
}

void Controller::report() {
  try {
    options_.onChanges(changes_);
  } catch (const std::exception&) {
    // The second process undoes only what it finds in the kernel.
  }
}

void Controller::setBackup(const Request& request) {
  const PmEndpoint current = existing(request);
  PmEndpoint next = current;
  next.flags = withBackup(current.flags, request.on);
  if (isOwn(current)) {
    if (next == current) return;
    if (request.on) requireNoOthers(request.address);
    change(request.address, current, next, [&] {
      if (request.on) requireNoOthers(request.address);
    });
  } else {
    requireLent(current);
    if (next == current) return;
    change(request.address, current, next, [&] {
      if (request.on) requireCallersOwn(request.address);
    });
  }
}

void Controller::remove(const Request& request) {
  if (request.id == 0) {
    requireCallersOwn(request.address);
    const bool known = std::ranges::find(closed_, request.address) != closed_.end();
    if (!known && closed_.size() == kMaxChanges) throw Failure("failed", "too many changes");
    PmEndpoint first;
    first.address = request.address;
    kernel_.remove(first);
    if (!known) closed_.push_back(request.address);
    return;
  }
  const PmEndpoint current = existing(request);
  if (!isOwn(current)) throw Failure("foreign", "this endpoint was not made here; it stays unchanged");
  const Check check = [&] { requireNoOthers(request.address); };
  check();
  change(request.address, current, std::nullopt, check);
}

void Controller::add(const Request& request) {
  if ((request.flags & ~(kFlagSubflow | kFlagBackup)) != 0) {
    throw Failure("denied", "only subflow and backup");
  }
  for (const PmEndpoint& item : kernel_.list()) {
    if (item.address == request.address || item.id == request.id) {
      throw Failure("exists", "the address or id has an endpoint already");
    }
  }
  if (request.interfaceIndex != 0 && !kernel_.hasInterface(request.interfaceIndex)) {
    throw Failure("missing", "no such interface");
  }
  const Change* known = changeOf(request.address);
  const bool again =
      (known && !known->now && !known->found) || std::ranges::find(closed_, request.address) != closed_.end();
  const Check check = [&] { requireRoomFor(request.address, again); };
  check();
  const PmEndpoint next{request.id, request.address, request.flags, request.interfaceIndex};
  change(request.address, std::nullopt, next, check);
}

void Controller::undo(const Change& change) {
  const auto current = at(change.address);
  if (!current || current != change.now || current == change.found) return;
  if (change.found) {
    kernel_.setFlags(*change.found);
    return;
  }
  bool others = true;
  try {
    others = options_.useOf(change.address).others;
  } catch (const std::exception&) {
    // The caller can cause this (by a resource limit), so it must not permit the deletion.
  }
  if (!others) {
    kernel_.remove(*current);
    return;
  }
  // Deleting it would also end the subflow of another user's connection.
  PmEndpoint harmless = *current;
  harmless.flags = withBackup(harmless.flags, false);
  kernel_.setFlags(harmless);
}

void Controller::restore() {
  // The last change first: an id may have been reused.
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    try {
      undo(*change);
    } catch (const std::exception&) {
      // The others are still restored.
    }
  }
  changes_.clear();
  closed_.clear();
  report();
}

}  // namespace mpd::helper
