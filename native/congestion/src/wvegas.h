// wVegas (Cao, Xu, Fu: ICNP 2012; draft-xu-mptcp-congestion-control): Vegas on each subflow with a share of
// one budget of queued segments, in proportion to its rate. It judges by the mean round trip of each round,
// as the Linux version does (MPTCP 0.95).
#pragma once

#include "coupling.h"

/** Segments that all subflows together keep queued, and the minimum of one subflow, times 2^16. */
#define TOTAL_ALPHA (10 * ONE_SHARE)
#define MIN_ALPHA (2 * ONE_SHARE)
/** Queued segments that end slow start, times 2^16. */
#define GAMMA ONE_SHARE
/** Samples that a round needs to be judged. */
#define MIN_SAMPLES 3

struct wvegas {
  struct own own;
  u64 sum_us;
  /** This subflow's share of the budget, times 2^16; 0 before the first weighing. */
  u32 alpha;
  u32 end;
  u32 samples;
  /** Shortest round trip so far; 0 without a sample. */
  u32 base_us;
  /** Smallest queueing delay since the last back-off; 0 without one. */
  u32 queue_us;
};

static __always_inline void wvegas_measured(struct sock* sk, struct wvegas* self,
                                            const struct ack_sample* sample) {
  if (sample->rtt_us <= 0) return;
  u32 rtt = sample->rtt_us;
  if (self->base_us == 0 || rtt < self->base_us) self->base_us = rtt;
  self->sum_us += rtt;
  self->samples++;
}

static __always_inline void at_least_two(struct tcp_sock* tp, u64 cwnd) {
  tp->snd_cwnd = cwnd > MIN_WINDOW ? cwnd : MIN_WINDOW;
}

/** Twice the smallest delay means a full link: half a window drains it. */
static __always_inline void drain(struct tcp_sock* tp, struct wvegas* self, u32 mean) {
  u32 queue = mean - self->base_us;
  if (queue == 0) return;
  if (self->queue_us == 0 || queue < self->queue_us) self->queue_us = queue;
  if (queue < 2 * self->queue_us) return;
  at_least_two(tp, (u64)tp->snd_cwnd * self->base_us / (2 * mean));
  self->queue_us = 0;
}

static __always_inline void judge(struct sock* sk, struct wvegas* self, struct connection* all) {
  struct tcp_sock* tp = tcp_of(sk);
  u64 cwnd = tp->snd_cwnd;
  u32 mean = self->sum_us / self->samples;
  if (mean < self->base_us || mean == 0) mean = self->base_us;
  u64 queued = (cwnd << 16) * (mean - self->base_us) / mean;
  if (cwnd < tp->snd_ssthresh) {
    if (queued <= GAMMA) return;
    u64 base = cwnd * self->base_us / mean + 1;
    at_least_two(tp, base < cwnd ? base : cwnd);
    tp->snd_ssthresh = tp->snd_cwnd;
    return;
  }
  u64 alpha = self->alpha > MIN_ALPHA ? self->alpha : MIN_ALPHA;
  u64 total = all ? total_rate(all) : 0;
  if (queued >= alpha) {
    u64 rate = (cwnd << 30) / mean;
    u64 share = total ? (rate << 8) / ((total >> 8) ? total >> 8 : 1) : ONE_SHARE;
    alpha = (share < ONE_SHARE ? share : ONE_SHARE) * 10;
    if (alpha < MIN_ALPHA) alpha = MIN_ALPHA;
    self->alpha = alpha;
  }
  if (queued > alpha)
    at_least_two(tp, cwnd - 1);
  else if (queued < alpha && is_window_limited(tp, &self->own))
    tp->snd_cwnd = cwnd + 1;
  // Like the kernel's tcp_current_ssthresh: a drained window soon returns to three quarters.
  u32 three_quarters = tp->snd_cwnd - tp->snd_cwnd / 4;
  if (three_quarters > tp->snd_ssthresh) tp->snd_ssthresh = three_quarters;
  drain(tp, self, mean);
}

static __always_inline void wvegas_acked(struct sock* sk, struct wvegas* self, u32 ack, u32 acked) {
  struct tcp_sock* tp = tcp_of(sk);
  struct connection* all = publish(sk, &self->own);
  bool isOver = (s32)(ack - self->end) > 0;
  if (isOver) {
    self->end = tp->snd_nxt;
    bool isJudged = self->samples >= MIN_SAMPLES;
    if (isJudged) judge(sk, self, all);
    self->sum_us = 0;
    self->samples = 0;
    if (isJudged) return;
  }
  if (tp->snd_cwnd < tp->snd_ssthresh) left_after_slow_start(tp, &self->own, acked);
}

static __always_inline u32 wvegas_lost(struct sock* sk, struct wvegas* self) {
  return half_window(tcp_of(sk));
}
