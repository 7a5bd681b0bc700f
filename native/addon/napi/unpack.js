// Builds the snapshots of index.d.ts from the numbers and texts written by pack.cc, in the same order.
// Compiled into the addon. A read crosses the boundary once, instead of once a property: 20 times as fast
// with a thousand connections. Properties are named one by one, so the engine gives them fixed offsets.
(function unpack(n, texts) {
  'use strict';
  let at = 0;
  let x; // NaN: the kernel does not report it.

  const endpoint = () => ({ address: texts[n[at++]], port: n[at++] });

  const tcp = () => {
    const length = n[at++];
    if (length !== length) return undefined;
    const r = { length, state: n[at++], caState: n[at++] };
    if ((x = n[at++]) === x) r.rttUs = x;
    if ((x = n[at++]) === x) r.rttVarUs = x;
    if ((x = n[at++]) === x) r.minRttUs = x;
    if ((x = n[at++]) === x) r.rcvRttUs = x;
    if ((x = n[at++]) === x) r.rcvSpaceBytes = x;
    if ((x = n[at++]) === x) r.rcvMssBytes = x;
    if ((x = n[at++]) === x) r.sndMssBytes = x;
    if ((x = n[at++]) === x) r.sndCwndSegments = x;
    if ((x = n[at++]) === x) r.sndSsthreshSegments = x;
    if ((x = n[at++]) === x) r.lastDataRecvMs = x;
    if ((x = n[at++]) === x) r.lastDataSentMs = x;
    if ((x = n[at++]) === x) r.bytesReceived = x;
    if ((x = n[at++]) === x) r.bytesAcked = x;
    if ((x = n[at++]) === x) r.bytesSent = x;
    if ((x = n[at++]) === x) r.bytesRetrans = x;
    if ((x = n[at++]) === x) r.totalRetransSegments = x;
    if ((x = n[at++]) === x) r.lostSegments = x;
    if ((x = n[at++]) === x) r.segsIn = x;
    if ((x = n[at++]) === x) r.segsOut = x;
    if ((x = n[at++]) === x) r.dataSegsIn = x;
    if ((x = n[at++]) === x) r.rcvOutOfOrderSegments = x;
    if ((x = n[at++]) === x) r.rcvWindowBytes = x;
    if ((x = n[at++]) === x) r.sndWindowBytes = x;
    if ((x = n[at++]) === x) r.deliveryRateBytesPerSecond = x;
    if ((x = n[at++]) === x) r.pacingRateBytesPerSecond = x;
    return r;
  };

  const subflow = () => {
    const r = {
      local: endpoint(),
      remote: endpoint(),
      state: n[at++],
      inode: n[at++],
      uid: n[at++],
      cookie: texts[n[at++]],
      interfaceIndex: n[at++],
    };
    if ((x = n[at++]) === x) r.token = x;
    if ((x = n[at++]) === x) r.localId = x;
    if ((x = n[at++]) === x) r.remoteId = x;
    if ((x = n[at++]) === x) {
      r.mptcpFlags = x;
      r.backupRemote = (x & (1 << 4)) !== 0;
      r.backupLocal = (x & (1 << 5)) !== 0;
      r.fullyEstablished = (x & (1 << 6)) !== 0;
    }
    if ((x = n[at++]) === x) r.congestionControl = texts[x];
    const info = tcp();
    if (info !== undefined) r.tcp = info;
    return r;
  };

  const connection = () => {
    const r = {
      token: n[at++],
      local: endpoint(),
      remote: endpoint(),
      state: n[at++],
      inode: n[at++],
      uid: n[at++],
      cookie: texts[n[at++]],
      infoLength: n[at++],
    };
    if ((x = n[at++]) === x) r.extraSubflows = x;
    if ((x = n[at++]) === x) r.subflowsTotal = x;
    if ((x = n[at++]) === x) {
      r.flags = x;
      r.fallback = (x & 1) !== 0;
      r.remoteKeyReceived = (x & 2) !== 0;
    }
    if ((x = n[at++]) === x) r.bytesReceived = x;
    if ((x = n[at++]) === x) r.bytesSent = x;
    if ((x = n[at++]) === x) r.bytesRetrans = x;
    if ((x = n[at++]) === x) r.bytesAcked = x;
    if ((x = n[at++]) === x) r.rcvNxt = texts[x];
    if ((x = n[at++]) === x) r.lastDataRecvMs = x;
    if ((x = n[at++]) === x) r.addAddrSignal = x;
    if ((x = n[at++]) === x) r.addAddrAccepted = x;
    if ((x = n[at++]) === x) r.localAddrUsed = x;
    return r;
  };

  const list = (length, make) => {
    const items = new Array(length);
    for (let i = 0; i < length; i += 1) items[i] = make();
    return items;
  };

  const snapshot = () => {
    const monotonicUs = n[at++];
    const cpuUs = n[at++];
    const connections = list(n[at++], connection);
    const subflows = list(n[at++], subflow);
    return { monotonicUs, cpuUs, connections, subflows };
  };

  return list(n[at++], snapshot);
});
