// Registration of a coupled control as the only control of a subflow.
#pragma once

#include "coupling.h"

/**
 * Registers a coupled control that is the subflow's only one. The algorithm's header has `struct NAME`, which
 * begins with `struct own`, `NAME_acked` for the growth and `NAME_lost` for the window after a loss. A
 * timeout is published at once: a path that died has no later acknowledgement, and its window would stay in
 * the sums.
 * @param ... further members of `tcp_congestion_ops`
 */
#define COUPLED_CONTROL(control, ...)                                                                 \
  char gpl[] SEC("license") = "GPL";                                                                  \
  SEC("struct_ops")                                                                                   \
  void BPF_PROG(control##_init, struct sock* sk) {                                                    \
    _Static_assert(sizeof(struct control) <= sizeof(((struct inet_connection_sock*)0)->icsk_ca_priv), \
                   "the private data fit into the socket");                                           \
    __builtin_memset(private_of(sk), 0, sizeof(struct control));                                      \
  }                                                                                                   \
  SEC("struct_ops")                                                                                   \
  void BPF_PROG(control##_release, struct sock* sk) {                                                 \
    leave(private_of(sk));                                                                            \
  }                                                                                                   \
  SEC("struct_ops")                                                                                   \
  void BPF_PROG(control##_cong_avoid, struct sock* sk, u32 ack, u32 acked) {                          \
    control##_acked(sk, private_of(sk), ack, acked);                                                  \
  }                                                                                                   \
  SEC("struct_ops")                                                                                   \
  void BPF_PROG(control##_set_state, struct sock* sk, u8 state) {                                     \
    if (state == CA_LOSS) publish(sk, private_of(sk));                                                \
  }                                                                                                   \
  SEC("struct_ops")                                                                                   \
  u32 BPF_PROG(control##_ssthresh, struct sock* sk) {                                                 \
    return control##_lost(sk, private_of(sk));                                                        \
  }                                                                                                   \
  SEC("struct_ops")                                                                                   \
  u32 BPF_PROG(control##_undo_cwnd, struct sock* sk) {                                                \
    return tcp_reno_undo_cwnd(sk);                                                                    \
  }                                                                                                   \
  SEC(".struct_ops")                                                                                  \
  struct tcp_congestion_ops mpd_##control = {.init = (void*)control##_init,                           \
                                             .release = (void*)control##_release,                     \
                                             .cong_avoid = (void*)control##_cong_avoid,               \
                                             .set_state = (void*)control##_set_state,                 \
                                             .ssthresh = (void*)control##_ssthresh,                   \
                                             .undo_cwnd = (void*)control##_undo_cwnd,                 \
                                             .flags = TCP_CONG_NON_RESTRICTED,                        \
                                             .name = "mpd_" #control,                                 \
                                             __VA_ARGS__}
