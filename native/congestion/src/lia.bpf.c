// LIA (RFC 6356, section 3): all subflows together grow no faster than one TCP on the best path, and no
// subflow faster than a TCP of its own.
#include "coupling.h"

static __always_inline s64 growth_of(const struct tcp_sock* tp, const struct connection* all, u32 index,
                                     u64 total) {
  u64 alone = reno_growth(tp);
  u64 coupled = 0;
  // alpha / cwnd_total of the RFC equals the largest coupled term of all subflows.
  each_slot(i) coupled = larger_of(coupled, coupled_growth(&all->slots[i], total));
  return coupled < alone ? coupled : alone;
}

SEC("struct_ops")
void BPF_PROG(lia_cong_avoid, struct sock* sk, u32 ack, u32 acked) {
  grow_coupled(sk, acked, growth_of);
}

SEC("struct_ops")
u32 BPF_PROG(lia_ssthresh, struct sock* sk) {
  return half_window(tcp_of(sk));
}

COUPLED_CONTROL(lia, struct own);
