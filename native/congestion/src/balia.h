// BALIA (Peng, Walid, Hwang, Low: IEEE/ACM ToN 2016, section V): balances friendliness and responsiveness.
#pragma once

#include "coupling.h"

struct balia {
  struct own own;
};

/** The largest alpha that counts for growth. Keeps the product below within 64 bits. */
#define MAX_ALPHA (1ULL << 26)

/** @returns ratio of the fastest sibling's rate to this one's times 2^16, 2^16 at least */
static __always_inline u64 alpha_of(const struct connection* all, const struct slot* mine) {
  u64 fastest = 0, own = mine->rate;
  each_slot(i) fastest = larger_of(fastest, all->slots[i].rate);
  if (!own || fastest < own) return ONE_SHARE;
  u64 alpha = (fastest << 4) / (own >> 12 ? own >> 12 : 1);
  return alpha < ONE_SHARE ? ONE_SHARE : alpha < MAX_ALPHA ? alpha : MAX_ALPHA;
}

static __always_inline s64 growth_of(const struct tcp_sock* tp, const struct connection* all, u32 index,
                                     u64 total) {
  const struct slot* mine = &all->slots[index];
  u64 alpha = alpha_of(all, mine);
  // (1 + alpha) / 2 * (4 + alpha) / 5, times 2^16.
  u64 factor = ((ONE_SHARE + alpha) >> 8) * ((4 * ONE_SHARE + alpha) >> 8) / 10;
  // Both factors give up low bits first, so that the product fits into 64.
  u64 growth = ((coupled_growth(mine, total) >> 8) * (factor >> 4)) >> 4;
  return growth < ONE_SEGMENT ? growth : ONE_SEGMENT;
}

static __always_inline void balia_acked(struct sock* sk, struct balia* self, u32 ack, u32 acked) {
  grow_coupled(sk, &self->own, acked, growth_of);
}

static __always_inline u32 balia_lost(struct sock* sk, struct balia* self) {
  struct own* own = &self->own;
  struct connection* all = join(sk, own);
  u32 cwnd = tcp_of(sk)->snd_cwnd;
  u64 alpha = all ? alpha_of(all, slot_of(all, own)) : ONE_SHARE;
  if (alpha > ONE_SHARE * 3 / 2) alpha = ONE_SHARE * 3 / 2;
  u32 left = cwnd - (u32)((cwnd * alpha) >> 17);
  return left > MIN_WINDOW ? left : MIN_WINDOW;
}
