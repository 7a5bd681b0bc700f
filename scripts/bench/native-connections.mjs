// Opens real MPTCP connections and waits until the kernel has formed all their subflows.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { SERVER } from './native-sandbox.mjs';
import { native } from './native-measure.mjs';

const AT_ONCE = 4; // as many as the libuv pool has threads

/** Resolves to a function that closes them again. */
export async function openConnections(connections, subflows) {
  const fds = [];
  while (fds.length < connections) {
    const batch = Array.from({ length: Math.min(AT_ONCE, connections - fds.length) }, () =>
      native.connectMptcp(SERVER),
    );
    fds.push(...(await Promise.all(batch)));
  }
  // The server's first data makes a connection fully established; only then do subflows join.
  for (const fd of fds) writeSync(fd, '.');
  await reached((snapshot) => {
    const joined = snapshot.subflows.filter((s) => s.state === 1 && s.fullyEstablished);
    return joined.length === connections * subflows;
  }, `${connections} connections x ${subflows} subflows`);
  return async () => {
    for (const fd of fds) native.closeFd(fd);
    await reached((snapshot) => snapshot.connections.length === 0, 'all connections closed');
  };
}

async function reached(test, what) {
  for (let tries = 0; tries < 300; tries += 1) {
    const snapshot = native.snapshot();
    if (test(snapshot)) return;
    await sleep(100);
  }
  throw new Error(`not within 30 s: ${what}`);
}
