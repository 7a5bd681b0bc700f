// A pair: a coupled control above a control of the path, after Luczak, Ignaciuk and Morawski (Future Internet
// 2023, Fig. 1). Compiled once a pair and reading: COUPLED is lia, olia, balia or wvegas; PATH is RENO, CUBIC
// or BBR; SCOPE is TOTAL or PER_PATH; NAME is the control's name.
//
// Both controls keep a window of their own. Each one sees its own in the socket while it runs, so the path's
// control is the kernel's code, unchanged. Both receive every acknowledgement and loss. A window grows only
// while it is the one that limits the sender. Like `src/sim/congestion/master-control.ts`, but for TOTAL's
// rule.
#define RENO 1
#define CUBIC 2
#define BBR 3
#define TOTAL 1
#define PER_PATH 2

#define INCLUDE_OF(name) INCLUDE_TEXT(name.h)
#define INCLUDE_TEXT(file) #file
#include INCLUDE_OF(COUPLED)

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define TEXT_OF(name) TEXT(name)
#define TEXT(name) #name

#define coupled_acked NAMED(COUPLED, _acked)
#define coupled_lost NAMED(COUPLED, _lost)
#define coupled_measured NAMED(COUPLED, _measured)
#define MEASURES (IS_olia || IS_wvegas)

#include "pair_windows.h"

SEC("struct_ops")
void BPF_PROG(pair_init, struct sock* sk) {
  struct pair* pair = bpf_sk_storage_get(&pairs, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
#if PATH == CUBIC
  cubictcp_init(sk);
#elif PATH == BBR
  bbr_init(sk);
#endif
  if (!pair) return;
  __builtin_memset(pair, 0, sizeof *pair);
  take(tcp_of(sk), &pair->above);
  take(tcp_of(sk), &pair->path);
  pair->pacing_rate = sk->sk_pacing_rate;
  pair->is_ready = 1;
}

SEC("struct_ops")
void BPF_PROG(pair_release, struct sock* sk) {
  struct pair* pair = pair_of(sk);
  if (pair) leave(&pair->coupled.own);
}

static __always_inline void coupled_turn(struct sock* sk, struct pair* pair, bool is_limited, u32 ack,
                                         u32 acked) {
  put(tcp_of(sk), &pair->above);
  pair->coupled.own.limit = is_limited ? LIMITED : UNLIMITED;
  coupled_acked(sk, &pair->coupled, ack, acked);
  take(tcp_of(sk), &pair->above);
}

#if PATH == BBR
SEC("struct_ops")
void BPF_PROG(pair_cong_control, struct sock* sk, u32 ack, int flag, const struct rate_sample* sample) {
  struct tcp_sock* tp = tcp_of(sk);
  struct pair* pair = pair_of(sk);
  if (!pair) {
    bbr_main(sk, ack, flag, sample);
    return;
  }
  struct limits limits = limits_of(sk, pair);
  u8 state = BPF_CORE_READ_BITFIELD(&tp->inet_conn, icsk_ca_state);
  s32 acked = sample->acked_sacked;
  bool may_grow = state == CA_OPEN || state == CA_DISORDER || state == CA_LOSS;
  if (may_grow && acked > 0) coupled_turn(sk, pair, limits.above, ack, acked);
  // Like an application's limit, the other control's limit makes rate samples useless.
  if (limits.above && !limits.path) {
    u32 mark = tp->delivered + tp->packets_out;
    tp->app_limited = mark ? mark : 1;
  }
  put(tp, &pair->path);
  sk->sk_pacing_rate = pair->pacing_rate;
  bbr_main(sk, ack, flag, sample);
  pair->pacing_rate = sk->sk_pacing_rate;
  take(tp, &pair->path);
  settle(sk, pair);
  // The scheduler reads the pacing rate as the path's rate. Where the coupled window allows less than BBR
  // would send, it is 1.2 windows a round trip, as the kernel sets it for other controls.
  u64 rtt_us = tp->srtt_us >> 3;
  u64 rate = rtt_us ? (u64)tp->snd_cwnd * tp->mss_cache * 1200000 / rtt_us : 0;
  if (rate != 0 && rate < pair->pacing_rate) sk->sk_pacing_rate = rate;
}

SEC("struct_ops")
u32 BPF_PROG(pair_min_tso_segs, struct sock* sk) {
  return bbr_min_tso_segs(sk);
}

SEC("struct_ops")
u32 BPF_PROG(pair_sndbuf_expand, struct sock* sk) {
  return bbr_sndbuf_expand(sk);
}
#else
SEC("struct_ops")
void BPF_PROG(pair_cong_avoid, struct sock* sk, u32 ack, u32 acked) {
  struct tcp_sock* tp = tcp_of(sk);
  struct pair* pair = pair_of(sk);
  if (!pair) return;
  struct limits limits = limits_of(sk, pair);
  coupled_turn(sk, pair, limits.above, ack, acked);
  if (limits.path) {
    put(tp, &pair->path);
#if PATH == CUBIC
    cubictcp_cong_avoid(sk, ack, acked);
#else
    tcp_reno_cong_avoid(sk, ack, acked);
#endif
    take(tp, &pair->path);
  }
  settle(sk, pair);
}
#endif

SEC("struct_ops")
u32 BPF_PROG(pair_ssthresh, struct sock* sk) {
  struct tcp_sock* tp = tcp_of(sk);
  struct pair* pair = pair_of(sk);
  if (!pair) return tcp_reno_ssthresh(sk);
  u32 cwnd = tp->snd_cwnd, ssthresh = tp->snd_ssthresh;
  put(tp, &pair->above);
  u32 above = coupled_lost(sk, &pair->coupled);
  put(tp, &pair->path);
#if PATH == CUBIC
  u32 path = cubictcp_recalc_ssthresh(sk);
#elif PATH == BBR
  u32 path = bbr_ssthresh(sk);
#else
  u32 path = tcp_reno_ssthresh(sk);
#endif
  pair->above.prior_cwnd = pair->above.cwnd;
  pair->above.prior_ssthresh = pair->above.ssthresh;
  pair->above.cwnd = pair->above.ssthresh = above;
#if PATH != BBR
  pair->path.prior_cwnd = pair->path.cwnd;
  pair->path.prior_ssthresh = pair->path.ssthresh;
  pair->path.cwnd = pair->path.ssthresh = path;
#endif
  settle(sk, pair);
#if PATH != BBR
  u32 target = tp->snd_cwnd;
#endif
  // The kernel itself goes from the old window to the target.
  tp->snd_cwnd = cwnd ? cwnd : 1;
  tp->snd_ssthresh = ssthresh;
#if PATH == BBR
  // BBR recovers by itself and leaves the threshold alone.
  return path;
#else
  return target > MIN_WINDOW ? target : MIN_WINDOW;
#endif
}

SEC("struct_ops")
u32 BPF_PROG(pair_undo_cwnd, struct sock* sk) {
  struct tcp_sock* tp = tcp_of(sk);
  struct pair* pair = pair_of(sk);
  if (!pair) return tcp_reno_undo_cwnd(sk);
  u32 cwnd = tp->snd_cwnd, ssthresh = tp->snd_ssthresh;
  if (pair->above.prior_cwnd > pair->above.cwnd) pair->above.cwnd = pair->above.prior_cwnd;
  if (pair->above.prior_ssthresh > pair->above.ssthresh) pair->above.ssthresh = pair->above.prior_ssthresh;
#if PATH == BBR
  put(tp, &pair->path);
  pair->path.cwnd = bbr_undo_cwnd(sk);
#else
  if (pair->path.prior_cwnd > pair->path.cwnd) pair->path.cwnd = pair->path.prior_cwnd;
  if (pair->path.prior_ssthresh > pair->path.ssthresh) pair->path.ssthresh = pair->path.prior_ssthresh;
#endif
  settle(sk, pair);
  u32 restored = tp->snd_cwnd;
  tp->snd_cwnd = cwnd ? cwnd : 1;
  tp->snd_ssthresh = ssthresh;
  return restored > MIN_WINDOW ? restored : MIN_WINDOW;
}

SEC("struct_ops")
void BPF_PROG(pair_set_state, struct sock* sk, u8 state) {
  struct tcp_sock* tp = tcp_of(sk);
  struct pair* pair = pair_of(sk);
  // After a timeout the kernel has set the smallest window: both controls start again from it.
  if (pair && state == CA_LOSS) {
    pair->above.cwnd = tp->snd_cwnd;
    pair->path.cwnd = tp->snd_cwnd;
    share(sk, pair);
  }
#if PATH == CUBIC
  cubictcp_state(sk, state);
#elif PATH == BBR
  bbr_set_state(sk, state);
#endif
}

#if PATH != RENO
SEC("struct_ops")
void BPF_PROG(pair_cwnd_event, struct sock* sk, enum tcp_ca_event event) {
#if PATH == CUBIC
  cubictcp_cwnd_event(sk, event);
#else
  bbr_cwnd_event(sk, event);
#endif
}
#endif

SEC("struct_ops")
void BPF_PROG(pair_pkts_acked, struct sock* sk, const struct ack_sample* sample) {
  struct pair* pair = pair_of(sk);
  if (pair) {
#if MEASURES
    struct tcp_sock* tp = tcp_of(sk);
    u32 cwnd = tp->snd_cwnd, ssthresh = tp->snd_ssthresh;
    put(tp, &pair->above);
    coupled_measured(sk, &pair->coupled, sample);
    tp->snd_cwnd = cwnd ? cwnd : 1;
    tp->snd_ssthresh = ssthresh;
#endif
  }
#if PATH == CUBIC
  cubictcp_acked(sk, sample);
#endif
}

char gpl[] SEC("license") = "GPL";

SEC(".struct_ops")
struct tcp_congestion_ops NAME = {
    .init = (void*)pair_init,
    .release = (void*)pair_release,
    .ssthresh = (void*)pair_ssthresh,
    .undo_cwnd = (void*)pair_undo_cwnd,
    .set_state = (void*)pair_set_state,
    .pkts_acked = (void*)pair_pkts_acked,
#if PATH != RENO
    .cwnd_event = (void*)pair_cwnd_event,
#endif
#if PATH == BBR
    .cong_control = (void*)pair_cong_control,
    .min_tso_segs = (void*)pair_min_tso_segs,
    .sndbuf_expand = (void*)pair_sndbuf_expand,
#else
    .cong_avoid = (void*)pair_cong_avoid,
#endif
    .flags = TCP_CONG_NON_RESTRICTED,
    .name = TEXT_OF(NAME),
};
