// wvegas as the only control of a subflow.
#include "wvegas.h"
#include "control.h"

SEC("struct_ops")
void BPF_PROG(wvegas_pkts_acked, struct sock* sk, const struct ack_sample* sample) {
  wvegas_measured(sk, private_of(sk), sample);
}

COUPLED_CONTROL(wvegas, .pkts_acked = (void*)wvegas_pkts_acked);
