// LIA (RFC 6356, section 3): all subflows together grow no faster than one TCP on the best path, and no
// subflow faster than a TCP of its own.
#pragma once

#include "coupling.h"

struct lia {
  struct own own;
};

static __always_inline s64 growth_of(const struct tcp_sock* tp, const struct connection* all, u32 index,
                                     u64 total) {
  u64 alone = reno_growth(tp);
  u64 coupled = 0;
  // alpha / cwnd_total of the RFC equals the largest coupled term of all subflows.
  each_slot(i) coupled = larger_of(coupled, coupled_growth(&all->slots[i], total));
  return coupled < alone ? coupled : alone;
}

static __always_inline void lia_acked(struct sock* sk, struct lia* self, u32 ack, u32 acked) {
  grow_coupled(sk, &self->own, acked, growth_of);
}

static __always_inline u32 lia_lost(struct sock* sk, struct lia* self) {
  return half_window(tcp_of(sk));
}
