// Keeps CAP_NET_ADMIN and drops everything else.
#pragma once

#include <cstdint>

namespace mpd::helper {

/**
 * Drops every capability but CAP_NET_ADMIN, for good (no_new_privs). Under sudo or pkexec it becomes the
 * calling user. Returns that user. Throws Failure if CAP_NET_ADMIN is missing.
 */
uint32_t keepOnlyNetAdmin();

/**
 * File with which the administrator permits changes of the backup flag of plain endpoints while the helper
 * runs.
 */
inline constexpr char kLendFile[] = "/etc/multipath-dash/lend-endpoints";

/** True if that file exists, belongs to root, and is writable by nobody else. It is not read. */
bool lendsEndpoints(const char* file = kLendFile);

}  // namespace mpd::helper
