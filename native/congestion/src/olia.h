// OLIA (Khalili et al., IEEE/ACM ToN 2013, section IV): couples for optimal resource pooling, and moves
// window from the paths with the largest windows to the best paths. The quality of a path is l^2 / rtt, as in
// the paper; l is the larger of the segments delivered since the last loss and between the last two.
#pragma once

#include "coupling.h"

struct olia {
  struct own own;
};

/** Keeps l^2 * 2^10 within 64 bits. */
#define MAX_BETWEEN_LOSSES ((1ULL << 27) - 1)

static __always_inline void judge_quality(struct slot* mine, u32 rtt_us) {
  u64 segments = larger_of(mine->since_loss, mine->between_losses);
  if (segments > MAX_BETWEEN_LOSSES) segments = MAX_BETWEEN_LOSSES;
  mine->quality = rtt_us ? (segments * segments << 10) / rtt_us : 0;
}

/** @returns alpha * 2^32: what the path gains or gives a round trip, in segments */
static __always_inline s64 alpha_of(const struct connection* all, u32 index) {
  u64 best = 0, largest = 0;
  u32 used = 0, collected = 0, largests = 0;
  each_slot(i) {
    used += all->slots[i].is_measured;
    best = larger_of(best, all->slots[i].quality);
    largest = larger_of(largest, all->slots[i].is_measured * all->slots[i].cwnd);
  }
  if (used < 2) return 0;
  each_slot(i) {
    const struct slot* slot = &all->slots[i];
    u32 is_largest = slot->cwnd >= largest;
    u32 is_best = slot->quality >= best;
    largests += slot->is_measured * is_largest;
    collected += slot->is_measured * is_best * !is_largest;
  }
  if (collected == 0) return 0;
  const struct slot* mine = &all->slots[index & (SLOTS - 1)];
  if (mine->cwnd >= largest) return -(s64)((u64)ONE_SEGMENT / (used * (largests ? largests : 1)));
  return mine->quality >= best ? (s64)((u64)ONE_SEGMENT / (used * collected)) : 0;
}

static __always_inline s64 growth_of(const struct tcp_sock* tp, const struct connection* all, u32 index,
                                     u64 total) {
  s64 alpha = alpha_of(all, index);
  u64 moved = (u64)(alpha < 0 ? -alpha : alpha) / (tp->snd_cwnd ? tp->snd_cwnd : 1);
  s64 growth = coupled_growth(&all->slots[index], total);
  return alpha < 0 ? growth - (s64)moved : growth + (s64)moved;
}

static __always_inline void olia_acked(struct sock* sk, struct olia* self, u32 ack, u32 acked) {
  grow_coupled(sk, &self->own, acked, growth_of);
}

static __always_inline void olia_measured(struct sock* sk, struct olia* self,
                                          const struct ack_sample* sample) {
  struct own* own = &self->own;
  struct connection* all = publish(sk, own);
  if (!all) return;
  struct slot* mine = slot_of(all, own);
  mine->since_loss += sample->pkts_acked;
  judge_quality(mine, tcp_of(sk)->srtt_us >> 3);
}

static __always_inline u32 olia_lost(struct sock* sk, struct olia* self) {
  struct own* own = &self->own;
  struct connection* all = join(sk, own);
  if (all) {
    struct slot* mine = slot_of(all, own);
    mine->between_losses = mine->since_loss;
    mine->since_loss = 0;
  }
  return half_window(tcp_of(sk));
}
