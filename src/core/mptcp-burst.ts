/** Bytes that the MPTCP scheduler of Linux (6.x) assigns to one subflow before its next choice. */
export const MPTCP_BURST_BYTES = 65_428;
