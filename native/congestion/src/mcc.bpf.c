// The multipath congestion control of MPTCP+ (section III-B, equations 1 and 2): OLIA's coupling term. While
// the round trip is longer than 1.5 times the weighted mean of the last ten samples, increase and decrease
// are smoothed by min w / sum w.
#include "control.h"

/** Round-trip samples in the weighted mean; the latest has the largest weight. */
#define HISTORY 10

#define MAX_WINDOW (1ULL << 32)

struct mcc {
  struct own own;
  u32 rtt_us[HISTORY];
  /** Samples so far, HISTORY at most; the place of the next one. */
  u32 count;
  u32 next;
  /** Times 2^16; 0 before the first sample. */
  u32 theta;
};

static __always_inline u64 theta_of(const struct mcc* self) {
  return self->theta ? self->theta : ONE_SHARE;
}

/** @returns min w / sum w times 2^16 */
static __always_inline u64 smallest_share(const struct connection* all) {
  u64 sum = 0, least = 0;
  u32 used = 0;
  each_slot(i) {
    u64 cwnd = (u64)all->slots[i].is_measured * all->slots[i].cwnd;
    used += all->slots[i].is_measured;
    sum += cwnd;
    // The largest of the complements, so that a free slot does not count.
    least = larger_of(least, all->slots[i].is_measured * (MAX_WINDOW - cwnd));
  }
  least = MAX_WINDOW - least;
  return used > 1 && sum ? (least << 16) / sum : ONE_SHARE;
}

SEC("struct_ops")
void BPF_PROG(mcc_pkts_acked, struct sock* sk, const struct ack_sample* sample) {
  struct mcc* self = private_of(sk);
  if (sample->rtt_us <= 0) return;
  struct connection* all = publish(sk, &self->own);
  u64 sum = 0, weights = 0;
  // Before the history is full the place of the next sample is behind the last one, as in a full ring.
#pragma unroll
  for (u32 i = 0; i < HISTORY; i++) {
    u32 age = (self->next + HISTORY - 1 - i) % HISTORY;
    u64 weight = age < self->count ? self->count - age : 0;
    sum += weight * self->rtt_us[i];
    weights += weight;
  }
  u64 isLong = weights && 2ULL * sample->rtt_us * weights > 3 * sum;
  self->theta = all && isLong ? smallest_share(all) : ONE_SHARE;
#pragma unroll
  for (u32 i = 0; i < HISTORY; i++) {
    if (i == self->next) self->rtt_us[i] = sample->rtt_us;
  }
  self->next = self->next + 1 < HISTORY ? self->next + 1 : 0;
  if (self->count < HISTORY) self->count++;
}

static __always_inline void mcc_acked(struct sock* sk, struct mcc* self, u32 ack, u32 acked) {
  struct tcp_sock* tp = tcp_of(sk);
  struct connection* all = publish(sk, &self->own);
  u32 left = left_after_slow_start(tp, &self->own, acked);
  if (!left) return;
  u64 alone = reno_growth(tp);
  u64 total = all ? total_rate(all) : 0;
  u64 coupled = all && total ? coupled_growth(slot_of(all, &self->own), total) : alone;
  u64 growth = coupled < alone ? coupled : alone;
  grow(tp, &self->own, left * ((growth * theta_of(self)) >> 16));
}

static __always_inline u32 mcc_lost(struct sock* sk, struct mcc* self) {
  u32 cwnd = tcp_of(sk)->snd_cwnd;
  u32 left = cwnd - (u32)((cwnd * theta_of(self)) >> 17);
  return left > MIN_WINDOW ? left : MIN_WINDOW;
}

COUPLED_CONTROL(mcc, .pkts_acked = (void*)mcc_pkts_acked);
