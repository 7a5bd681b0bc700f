// The network of a shipped scenario with a file server at its end.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildNetwork, SANDBOX_DIR, startMediaServer, type LabNetwork } from '../../../src/lab';
import { isLinkEvent, type Scenario } from '../../../src/scenario';

/** 2 s of 3 Mbit/s. */
export const SEGMENT_BYTES = 750_000;

export interface ServedNetwork {
  network: LabNetwork;
  url: string;
  /** Authority of the server's certificate. */
  extraCa: string | undefined;
  pathIds: readonly string[];
  /** Ends the timeline, the server and the network. */
  close(): Promise<void>;
}

export interface ServeOptions {
  seed: number;
  /** Only these paths exist. */
  usePaths?: readonly string[];
  mptcp: boolean;
  /** Default {@link SEGMENT_BYTES}. */
  segmentBytes?: number;
  /** HTTP/2 over TLS in place of HTTP/1.1. */
  http2?: boolean;
}

/** Builds the scenario's network and serves segments in it; its timeline begins at once. */
export async function serve(scenario: Scenario, options: ServeOptions): Promise<ServedNetwork> {
  const root = `${SANDBOX_DIR}/segments`;
  mkdirSync(root, { recursive: true });
  writeFileSync(`${root}/segment.m4s`, randomBytes(options.segmentBytes ?? SEGMENT_BYTES));
  const { topology } = scenario;
  const network = await buildNetwork(topology, {
    seed: options.seed,
    clientMptcp: options.mptcp,
    ...(options.usePaths ? { usePaths: [...options.usePaths] } : {}),
  });
  const server = await startMediaServer({
    ...network.server,
    root,
    port: options.http2 === true ? 8443 : 8080,
    mptcp: options.mptcp,
    ...(options.http2 === true ? { tls: { http2: true } } : {}),
  });
  await network.restart();
  const timers = scenario.events
    .filter(isLinkEvent)
    .map((event) => setTimeout(() => void network.apply(event), event.atMs));
  return {
    network,
    url: `${server.url}/segment.m4s`,
    extraCa: server.tls && readFileSync(server.tls.caFile, 'utf8'),
    pathIds: topology.paths.map(({ id }) => id),
    async close() {
      timers.forEach(clearTimeout);
      await server.stop();
      await network.close();
    },
  };
}
