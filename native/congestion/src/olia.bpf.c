// olia as the only control of a subflow.
#include "olia.h"
#include "control.h"

SEC("struct_ops")
void BPF_PROG(olia_pkts_acked, struct sock* sk, const struct ack_sample* sample) {
  olia_measured(sk, private_of(sk), sample);
}

COUPLED_CONTROL(olia, .pkts_acked = (void*)olia_pkts_acked);
