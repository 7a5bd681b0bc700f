// The state that the subflows of one MPTCP connection share, and the arithmetic of coupled window growth.
//
// A map holds one entry a connection, keyed by network namespace and MPTCP token. Each subflow owns one slot
// of the entry: it alone writes there, and it reads the others. A socket that speaks plain TCP has an own
// slot only, so that each control falls back to the growth of a single subflow.
#pragma once

#include "kernel.h"

/** Slots of a connection. Linux allows eight subflows a connection by default limits (mptcp_pm: 8). */
#define SLOTS 8
/** Connections that the map holds at once. A further one grows as if it were alone. */
#define CONNECTIONS 16384
/** RFC 5681, section 3.1. */
#define MIN_WINDOW 2
/** One segment in the fixed-point format of window growth: 32 bits of fraction. */
#define ONE_SEGMENT (1LL << 32)
/** One in the fixed-point format of shares: 16 bits of fraction. */
#define ONE_SHARE (1ULL << 16)

struct slot {
  /** Subflow id plus one; 0 is free. */
  u32 owner;
  /** Segments. */
  u32 cwnd;
  /** 1 with a round-trip sample, else 0. */
  u32 is_measured;
  /** Pairs: segments that the control of the path allows by itself. */
  u32 path_cwnd;
  /** Window over smoothed round trip, in segments per microsecond times 2^30; 0 without a sample. */
  u64 rate;
  /** Quality of the path (OLIA). */
  u64 quality;
  /** Segments delivered since the last loss, and between the last two (OLIA). */
  u64 since_loss;
  u64 between_losses;
};

struct connection {
  struct slot slots[SLOTS];
};

/** Limit of a control's window: by the socket's own flags, or as the other control of a pair reports it. */
enum limit { KERNEL_FLAG, LIMITED, UNLIMITED };

struct connection_key {
  u32 netns;
  u32 token;
};

/** The beginning of each control's private data in the socket (`icsk_ca_priv`, 104 bytes). */
struct own {
  struct connection_key key;
  /** 0: not joined. Otherwise the subflow id plus one. */
  u32 id;
  u32 index;
  /** An `enum limit`. */
  u32 limit;
  u32 unused;
  /** Window growth that is not yet a whole segment, in 1/2^32 segments. */
  s64 growth;
};

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, CONNECTIONS);
  __type(key, struct connection_key);
  __type(value, struct connection);
} connections SEC(".maps");

static const struct connection no_connection;

#define each_slot(i) _Pragma("unroll") for (u32 i = 0; i < SLOTS; i++)

static __always_inline struct tcp_sock* tcp_of(struct sock* sk) {
  return (struct tcp_sock*)sk;
}

/** @returns the control's private data, which begins with `struct own` */
static __always_inline void* private_of(struct sock* sk) {
  return (void*)((struct inet_connection_sock*)sk)->icsk_ca_priv;
}

/** Takes a slot of the connection. Two subflows may do so at once. */
static __always_inline bool take_slot(struct connection* all, struct own* own) {
  each_slot(i) {
    if (all->slots[i].owner == own->id) {
      own->index = i;
      return true;
    }
  }
  each_slot(i) {
    if (__sync_val_compare_and_swap(&all->slots[i].owner, 0, own->id) == 0) {
      all->slots[i].since_loss = 0;
      all->slots[i].between_losses = 0;
      own->index = i;
      return true;
    }
  }
  return false;
}

/** @returns false for plain TCP, and while the subflow belongs to no connection yet */
static __always_inline bool identify(struct sock* sk, struct own* own) {
  struct tcp_sock* tp = tcp_of(sk);
  if (!tp->is_mptcp) return false;
  void* data = tp->inet_conn.icsk_ulp_data;
  if (!data) return false;
  struct mptcp_subflow_context* subflow =
      bpf_rdonly_cast(data, bpf_core_type_id_kernel(struct mptcp_subflow_context));
  struct sock* conn = subflow->conn;
  if (!conn) return false;
  struct mptcp_sock* msk = bpf_rdonly_cast(conn, bpf_core_type_id_kernel(struct mptcp_sock));
  own->key.token = msk->token;
  own->key.netns = sk->__sk_common.skc_net.net->ns.inum;
  own->id = subflow->subflow_id + 1;
  return own->key.token != 0;
}

/** @returns the connection's entry with this subflow's slot in it; 0 for plain TCP or a full map */
static __always_inline struct connection* join(struct sock* sk, struct own* own) {
  if (own->id == 0 && !identify(sk, own)) {
    own->id = 0;
    return 0;
  }
  struct connection_key key = own->key;
  struct connection* all = bpf_map_lookup_elem(&connections, &key);
  if (!all) {
    bpf_map_update_elem(&connections, &key, &no_connection, BPF_NOEXIST);
    all = bpf_map_lookup_elem(&connections, &key);
    if (!all) return 0;
  }
  if (all->slots[own->index & (SLOTS - 1)].owner != own->id && !take_slot(all, own)) return 0;
  return all;
}

static __always_inline struct slot* slot_of(struct connection* all, const struct own* own) {
  return &all->slots[own->index & (SLOTS - 1)];
}

/**
 * Writes window and rate for the siblings. A division here spares them one a slot, and the verifier the
 * branches.
 * @returns the connection; 0 for plain TCP
 */
static __always_inline struct connection* publish(struct sock* sk, struct own* own) {
  struct connection* all = join(sk, own);
  if (!all) return 0;
  struct slot* mine = slot_of(all, own);
  u32 cwnd = tcp_of(sk)->snd_cwnd;
  u32 rtt_us = tcp_of(sk)->srtt_us >> 3;
  mine->cwnd = cwnd;
  mine->is_measured = rtt_us != 0;
  mine->rate = rtt_us ? ((u64)cwnd << 30) / rtt_us : 0;
  return all;
}

/** Leaves the connection. The last subflow deletes the entry. */
static __always_inline void leave(struct own* own) {
  if (own->id == 0) return;
  struct connection_key key = own->key;
  struct connection* all = bpf_map_lookup_elem(&connections, &key);
  if (!all) return;
  struct slot* mine = slot_of(all, own);
  u32 others = 0;
  if (mine->owner == own->id) {
    mine->cwnd = 0;
    mine->is_measured = 0;
    mine->rate = 0;
    mine->quality = 0;
    mine->path_cwnd = 0;
    mine->owner = 0;
  }
  each_slot(i) others |= all->slots[i].owner;
  // A subflow that joins just now finds no entry at its next acknowledgement and makes a new one.
  if (others == 0) bpf_map_delete_elem(&connections, &key);
  own->id = 0;
}

static __always_inline u64 larger_of(u64 a, u64 b) {
  return a > b ? a : b;
}

static __always_inline u64 total_rate(const struct connection* all) {
  u64 total = 0;
  each_slot(i) total += all->slots[i].rate;
  return total;
}

/**
 * cwnd / rtt^2 / (sum of cwnd / rtt)^2, which equals share^2 / cwnd: the term that LIA, OLIA and BALIA have
 * in common.
 * @returns 1/2^32 segments per acknowledged segment; 0 for a free slot
 */
static __always_inline u64 coupled_growth(const struct slot* slot, u64 total) {
  if (!total || !slot->cwnd) return 0;
  u64 share = (slot->rate << 16) / total;
  return share * share / slot->cwnd;
}

/** @returns the growth of a TCP of its own (RFC 5681): 1 / cwnd, in 1/2^32 segments per acknowledged segment
 */
static __always_inline u64 reno_growth(const struct tcp_sock* tp) {
  return ONE_SEGMENT / (tp->snd_cwnd ? tp->snd_cwnd : 1);
}

/** Adds growth to the window, a whole segment at a time. @param growth in 1/2^32 segments, may be negative */
static __always_inline void grow(struct tcp_sock* tp, struct own* own, s64 growth) {
  s64 sum = own->growth + growth;
  u32 cwnd = tp->snd_cwnd;
  if (sum < 0) {
    cwnd = cwnd > MIN_WINDOW ? cwnd - 1 : cwnd;
    sum = sum + ONE_SEGMENT < 0 ? 0 : sum + ONE_SEGMENT;
  } else {
    cwnd += (u32)((u64)sum >> 32);
    sum &= ONE_SEGMENT - 1;
  }
  own->growth = sum;
  tp->snd_cwnd = cwnd < tp->snd_cwnd_clamp ? cwnd : tp->snd_cwnd_clamp;
}

/** The kernel's tcp_is_cwnd_limited(): in slow start a window twice the used one is still limiting. */
static __always_inline bool is_window_limited(const struct tcp_sock* tp, const struct own* own) {
  if (own->limit != KERNEL_FLAG) return own->limit == LIMITED;
  if (BPF_CORE_READ_BITFIELD(tp, is_cwnd_limited)) return true;
  return tp->snd_cwnd < tp->snd_ssthresh && tp->snd_cwnd < 2 * tp->max_packets_out;
}

/** Slow start (RFC 5681). @returns acknowledged segments left for congestion avoidance; 0 to leave the window
 */
static __always_inline u32 left_after_slow_start(struct tcp_sock* tp, const struct own* own, u32 acked) {
  if (!is_window_limited(tp, own)) return 0;
  return tp->snd_cwnd < tp->snd_ssthresh ? tcp_slow_start(tp, acked) : acked;
}

/**
 * Congestion avoidance of a control of RFC 6356's kind. Without a sibling's rate the subflow grows like Reno.
 * @param growth_of 1/2^32 segments per acknowledged segment, from the connection and its total rate
 */
static __always_inline void grow_coupled(struct sock* sk, struct own* own, u32 acked,
                                         s64 (*growth_of)(const struct tcp_sock* tp,
                                                          const struct connection* all, u32 index,
                                                          u64 total)) {
  struct tcp_sock* tp = tcp_of(sk);
  struct connection* all = publish(sk, own);
  u32 left = left_after_slow_start(tp, own, acked);
  if (!left) return;
  u64 total = all ? total_rate(all) : 0;
  s64 growth = all && total ? growth_of(tp, all, own->index & (SLOTS - 1), total) : (s64)reno_growth(tp);
  grow(tp, own, left * growth);
}

static __always_inline u32 half_window(const struct tcp_sock* tp) {
  u32 half = tp->snd_cwnd / 2;
  return half > MIN_WINDOW ? half : MIN_WINDOW;
}
