// The parts of the kernel's types that the controls read. CO-RE: offsets come from the running kernel's BTF.
#pragma once

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#define KERNEL __attribute__((preserve_access_index))

struct ns_common {
  unsigned int inum;
} KERNEL;

struct net {
  struct ns_common ns;
} KERNEL;

typedef struct {
  struct net* net;
} KERNEL possible_net_t;

struct sock_common {
  possible_net_t skc_net;
} KERNEL;

struct sock {
  struct sock_common __sk_common;
  unsigned long sk_pacing_rate;
} KERNEL;

struct inet_sock {
  struct sock sk;
} KERNEL;

struct inet_connection_sock {
  struct inet_sock icsk_inet;
  u8 icsk_ca_state : 5;
  void* icsk_ulp_data;
  u64 icsk_ca_priv[13];
} KERNEL;

struct tcp_sock {
  struct inet_connection_sock inet_conn;
  u32 snd_nxt;
  u32 srtt_us;
  u32 snd_cwnd;
  u32 snd_cwnd_clamp;
  u32 snd_ssthresh;
  u32 max_packets_out;
  u32 packets_out;
  u32 delivered;
  u32 app_limited;
  u32 mss_cache;
  u8 is_cwnd_limited : 1;
  bool is_mptcp;
} KERNEL;

struct mptcp_sock {
  u32 token;
} KERNEL;

struct mptcp_subflow_context {
  u32 subflow_id;
  struct sock* conn;
} KERNEL;

struct ack_sample {
  u32 pkts_acked;
  s32 rtt_us;
  u32 in_flight;
} KERNEL;

struct rate_sample {
  s32 acked_sacked;
} KERNEL;

enum tcp_ca_event { CA_EVENT_TX_START };

/** States of a socket's congestion control (tcp_ca_state). */
#define CA_OPEN 0
#define CA_DISORDER 1
#define CA_LOSS 4

// Layout of 5.6 and later. libbpf matches the members with the running kernel's by name.
struct tcp_congestion_ops {
  u32 (*ssthresh)(struct sock* sk);
  void (*cong_avoid)(struct sock* sk, u32 ack, u32 acked);
  void (*pkts_acked)(struct sock* sk, const struct ack_sample* sample);
  u32 (*undo_cwnd)(struct sock* sk);
  char name[16];
  u32 flags;
  void (*init)(struct sock* sk);
  void (*release)(struct sock* sk);
  void (*set_state)(struct sock* sk, u8 state);
  void (*cwnd_event)(struct sock* sk, enum tcp_ca_event event);
  u32 (*min_tso_segs)(struct sock* sk);
  void (*cong_control)(struct sock* sk, u32 ack, int flag, const struct rate_sample* sample);
  u32 (*sndbuf_expand)(struct sock* sk);
};

/** Processes of other network namespaces may choose the control. */
#define TCP_CONG_NON_RESTRICTED 1

extern u32 tcp_slow_start(struct tcp_sock* tp, u32 acked) __ksym;
extern u32 tcp_reno_undo_cwnd(struct sock* sk) __ksym;
extern void* bpf_rdonly_cast(const void* object, u32 btf_id) __ksym;

// The kernel's own controls, for pairs.
extern u32 tcp_reno_ssthresh(struct sock* sk) __ksym;
extern void tcp_reno_cong_avoid(struct sock* sk, u32 ack, u32 acked) __ksym;
extern void cubictcp_init(struct sock* sk) __ksym;
extern u32 cubictcp_recalc_ssthresh(struct sock* sk) __ksym;
extern void cubictcp_cong_avoid(struct sock* sk, u32 ack, u32 acked) __ksym;
extern void cubictcp_state(struct sock* sk, u8 state) __ksym;
extern void cubictcp_cwnd_event(struct sock* sk, enum tcp_ca_event event) __ksym;
extern void cubictcp_acked(struct sock* sk, const struct ack_sample* sample) __ksym;
extern void bbr_init(struct sock* sk) __ksym;
extern void bbr_main(struct sock* sk, u32 ack, int flag, const struct rate_sample* sample) __ksym;
extern u32 bbr_sndbuf_expand(struct sock* sk) __ksym;
extern u32 bbr_undo_cwnd(struct sock* sk) __ksym;
extern void bbr_cwnd_event(struct sock* sk, enum tcp_ca_event event) __ksym;
extern u32 bbr_ssthresh(struct sock* sk) __ksym;
extern u32 bbr_min_tso_segs(struct sock* sk) __ksym;
extern void bbr_set_state(struct sock* sk, u8 state) __ksym;
