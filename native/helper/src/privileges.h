// Keeps CAP_NET_ADMIN and gives up everything else.
#pragma once

#include <cstdint>

namespace mpd::helper {

/**
 * Drops every capability but CAP_NET_ADMIN, for good (no_new_privs), and, under sudo or pkexec, becomes the
 * user who called. Returns that user. Throws Failure when CAP_NET_ADMIN is missing.
 */
uint32_t keepOnlyNetAdmin();

}  // namespace mpd::helper
