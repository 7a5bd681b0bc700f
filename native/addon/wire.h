// Kernel structures and numbers of the netlink protocol, newest known layout. Kept here because system
// headers may be years older than the running kernel. The kernel only appends fields, so a shorter answer is
// a prefix of these structures.
#pragma once

#include <linux/types.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>

namespace mpd::wire {

inline constexpr int kIpprotoMptcp = 262;

// Netlink message types (linux/inet_diag.h, linux/sock_diag.h).
inline constexpr uint16_t kTcpDiagGetSock =
    18;  // Old request form; the only one that walks both families at once.
inline constexpr uint16_t kSockDiagByFamily = 20;

// Request attributes and bytecode (linux/inet_diag.h).
inline constexpr uint16_t kReqBytecode = 1;
inline constexpr uint16_t kReqProtocol = 3;
inline constexpr uint8_t kBytecodeJump = 1;
inline constexpr uint8_t kBytecodeRemote = 8;

// Answer attributes (INET_DIAG_*).
inline constexpr uint16_t kAttrInfo = 2;
inline constexpr uint16_t kAttrCong = 4;
inline constexpr uint16_t kAttrUlpInfo = 19;

// INET_ULP_INFO_*.
inline constexpr uint16_t kUlpName = 1;
inline constexpr uint16_t kUlpMptcp = 3;

// MPTCP_SUBFLOW_ATTR_*.
inline constexpr uint16_t kSubflowTokenLocal = 2;
inline constexpr uint16_t kSubflowFlags = 8;
inline constexpr uint16_t kSubflowIdRemote = 9;
inline constexpr uint16_t kSubflowIdLocal = 10;

// MPTCP_SUBFLOW_FLAG_*.
inline constexpr uint32_t kFlagBackupRemote = 1u << 4;
inline constexpr uint32_t kFlagBackupLocal = 1u << 5;
inline constexpr uint32_t kFlagFullyEstablished = 1u << 6;

// MPTCP_INFO_FLAG_*.
inline constexpr uint32_t kInfoFallback = 1u << 0;
inline constexpr uint32_t kInfoRemoteKey = 1u << 1;

// Socket options (linux/mptcp.h).
inline constexpr int kSolMptcp = 284;
inline constexpr int kOptInfo = 1;
inline constexpr int kOptTcpInfo = 2;
inline constexpr int kOptSubflowAddrs = 3;
inline constexpr int kOptFullInfo = 4;

// The TCP states used by the addon.
inline constexpr uint8_t kEstablished = 1;
inline constexpr uint8_t kTimeWait = 6;
inline constexpr uint8_t kClose = 7;
inline constexpr uint8_t kCloseWait = 8;
inline constexpr uint8_t kListen = 10;
inline constexpr uint8_t kNewSynRecv = 12;

/** struct inet_diag_sockid. Ports and addresses in network order. */
struct SockId {
  uint16_t sport;
  uint16_t dport;
  uint8_t src[16];
  uint8_t dst[16];
  uint32_t interface;
  uint32_t cookie[2];
};
static_assert(sizeof(SockId) == 48);

/** struct inet_diag_msg. */
struct DiagMessage {
  uint8_t family;
  uint8_t state;
  uint8_t timer;
  uint8_t retrans;
  SockId id;
  uint32_t expires;
  uint32_t rqueue;
  uint32_t wqueue;
  uint32_t uid;
  uint32_t inode;
};
static_assert(sizeof(DiagMessage) == 72);

/** struct inet_diag_req_v2. */
struct DiagRequest {
  uint8_t family;
  uint8_t protocol;
  uint8_t ext;
  uint8_t pad;
  uint32_t states;
  SockId id;
};
static_assert(sizeof(DiagRequest) == 56);

/** struct inet_diag_req (the old form). */
struct OldDiagRequest {
  uint8_t family;
  uint8_t srcLen;
  uint8_t dstLen;
  uint8_t ext;
  SockId id;
  uint32_t states;
  uint32_t dbs;
};
static_assert(sizeof(OldDiagRequest) == 60);

/** The leading part of struct tcp_info that the addon reports. */
struct TcpInfo {
  uint8_t state, caState, retransmits, probes, backoff, options, windowScales, appLimited;
  uint32_t rto, ato, sndMss, rcvMss, unacked, sacked, lost, retrans, fackets;
  uint32_t lastDataSent, lastAckSent, lastDataRecv, lastAckRecv;
  uint32_t pmtu, rcvSsthresh, rtt, rttVar, sndSsthresh, sndCwnd, advMss, reordering;
  uint32_t rcvRtt, rcvSpace, totalRetrans;
  uint64_t pacingRate, maxPacingRate, bytesAcked, bytesReceived;
  uint32_t segsOut, segsIn, notSentBytes, minRtt, dataSegsIn, dataSegsOut;
  uint64_t deliveryRate, busyTime, rwndLimited, sndbufLimited;
  uint32_t delivered, deliveredCe;
  uint64_t bytesSent, bytesRetrans;
  uint32_t dsackDups, reordSeen, rcvOoopack, sndWnd, rcvWnd, rehash;
};
static_assert(offsetof(TcpInfo, rto) == 8);
static_assert(offsetof(TcpInfo, rtt) == 68);
static_assert(offsetof(TcpInfo, pacingRate) == 104);
static_assert(offsetof(TcpInfo, segsOut) == 136);
static_assert(offsetof(TcpInfo, deliveryRate) == 160);
static_assert(offsetof(TcpInfo, bytesSent) == 200);
static_assert(offsetof(TcpInfo, rcvWnd) == 232);
static_assert(sizeof(TcpInfo) == 240);

/** struct mptcp_info. */
struct MptcpInfo {
  uint8_t subflows, addAddrSignal, addAddrAccepted, subflowsMax, addAddrSignalMax, addAddrAcceptedMax;
  uint32_t flags, token;
  uint64_t writeSeq, sndUna, rcvNxt;
  uint8_t localAddrUsed, localAddrMax, csumEnabled;
  uint32_t retransmits;
  uint64_t bytesRetrans, bytesSent, bytesReceived, bytesAcked;
  uint8_t subflowsTotal, endpointLimits[3];
  uint32_t lastDataSent, lastDataRecv, lastAckRecv;
};
static_assert(offsetof(MptcpInfo, token) == 12);
static_assert(offsetof(MptcpInfo, rcvNxt) == 32);
static_assert(offsetof(MptcpInfo, bytesRetrans) == 48);
static_assert(offsetof(MptcpInfo, subflowsTotal) == 80);
static_assert(offsetof(MptcpInfo, lastDataRecv) == 88);
static_assert(sizeof(MptcpInfo) == 96);

/** struct mptcp_subflow_data: header of the MPTCP_TCPINFO and MPTCP_SUBFLOW_ADDRS answers. */
struct alignas(8) SubflowData {
  uint32_t sizeSubflowData, numSubflows, sizeKernel, sizeUser;
};
static_assert(sizeof(SubflowData) == 16);

/** struct mptcp_subflow_addrs. */
struct SubflowAddrs {
  sockaddr_storage local;
  sockaddr_storage remote;
};
static_assert(sizeof(SubflowAddrs) == 256);

/** struct mptcp_subflow_info. */
struct SubflowInfo {
  uint32_t id;
  SubflowAddrs addrs;
};
static_assert(sizeof(SubflowInfo) == 264);

/** struct mptcp_full_info. */
struct FullInfo {
  uint32_t sizeTcpInfoKernel, sizeTcpInfoUser, sizeSubflowInfoKernel, sizeSubflowInfoUser;
  uint32_t numSubflows, sizeArraysUser;
  uint64_t subflowInfo, tcpInfo;
  MptcpInfo mptcp;
};
static_assert(offsetof(FullInfo, mptcp) == 40);

}  // namespace mpd::wire
