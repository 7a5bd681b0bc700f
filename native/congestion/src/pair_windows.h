// The two windows of a pair, the one in the socket, and which of both limits the sender. For `pair.bpf.c`,
// which defines COUPLED and SCOPE first and includes the coupled control.
#pragma once

/** Saved window of the control that is not active. */
struct window {
  u32 cwnd;
  u32 ssthresh;
  /** Before the last loss. */
  u32 prior_cwnd;
  u32 prior_ssthresh;
};

struct pair {
  struct COUPLED coupled;
  struct window above;
  struct window path;
  /** BBR's own, in bytes per second. */
  u64 pacing_rate;
  /** 0: `init` has not run. */
  u32 is_ready;
};

/** Beside the socket: the path's control owns all of `icsk_ca_priv`. */
struct {
  __uint(type, BPF_MAP_TYPE_SK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct pair);
} pairs SEC(".maps");

static __always_inline struct pair* pair_of(struct sock* sk) {
  struct pair* pair = bpf_sk_storage_get(&pairs, sk, 0, 0);
  return pair && pair->is_ready ? pair : 0;
}

static __always_inline u32 lesser_of(u32 a, u32 b) {
  return a < b ? a : b;
}

static __always_inline void put(struct tcp_sock* tp, const struct window* window) {
  tp->snd_cwnd = window->cwnd ? window->cwnd : 1;
  tp->snd_ssthresh = window->ssthresh;
}

static __always_inline void take(const struct tcp_sock* tp, struct window* window) {
  window->cwnd = tp->snd_cwnd;
  window->ssthresh = tp->snd_ssthresh;
}

/**
 * Segments that the coupled windows leave to the subflow. TOTAL: the subflows share the sum in proportion to
 * the windows of their paths, as the kernel's scheduler shares the data. The paper's scheduler fills the path
 * with the shortest round trip first. Mainline's has already queued data in the other subflows, and would
 * leave it there.
 */
static __always_inline u32 room_of(const struct pair* pair, struct connection* all) {
#if SCOPE == TOTAL
  if (!all) return pair->above.cwnd;
  u64 total = 0, path_total = 0;
  each_slot(i) {
    total += all->slots[i].cwnd;
    path_total += all->slots[i].path_cwnd;
  }
  if (total >= path_total) return pair->path.cwnd;
  u64 room = total * pair->path.cwnd / (path_total ? path_total : 1);
  return room > MIN_WINDOW ? room : MIN_WINDOW;
#else
  return pair->above.cwnd;
#endif
}

/** Writes both windows for the siblings. The socket holds the coupled window. */
static __always_inline struct connection* share(struct sock* sk, struct pair* pair) {
  struct connection* all = publish(sk, &pair->coupled.own);
  if (!all) return 0;
  struct slot* mine = slot_of(all, &pair->coupled.own);
  mine->path_cwnd = pair->path.cwnd;
  return all;
}

/** Puts the effective window into the socket. */
static __always_inline void settle(struct sock* sk, struct pair* pair) {
  struct tcp_sock* tp = tcp_of(sk);
  put(tp, &pair->above);
  struct connection* all = share(sk, pair);
  u32 room = room_of(pair, all);
  u32 cwnd = lesser_of(room, pair->path.cwnd);
  tp->snd_cwnd = cwnd ? cwnd : 1;
  tp->snd_ssthresh = lesser_of(pair->above.ssthresh, pair->path.ssthresh);
}

/** The control that limits the sender. */
struct limits {
  bool path;
  bool above;
};

static __always_inline struct limits limits_of(struct sock* sk, struct pair* pair) {
  struct tcp_sock* tp = tcp_of(sk);
  struct own* own = &pair->coupled.own;
  bool is_starting = pair->path.cwnd < pair->path.ssthresh || pair->above.cwnd < pair->above.ssthresh;
  bool is_full =
      BPF_CORE_READ_BITFIELD(tp, is_cwnd_limited) || (is_starting && tp->snd_cwnd < 2 * tp->max_packets_out);
  struct connection* all = join(sk, own);
  u32 room = room_of(pair, all);
  // A shared sum is the lesser on all paths or on none.
  return (struct limits){.path = is_full && pair->path.cwnd <= room,
                         .above = is_full && room <= pair->path.cwnd};
}
