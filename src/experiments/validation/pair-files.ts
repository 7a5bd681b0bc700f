import { stringify } from 'yaml';
import { filmOf, linkOf } from './networks';
import type { NetworkPair } from './pairs';

/** A change of a link this long before the end of the session still counts: the format refuses those at its end. */
const LAST_MS = 100;

/**
 * A pair as a scenario of the lab, `KIND-NUMBER.yaml`, and the traces that it names. It is the network of
 * {@link pairScenario}: the simulated session and the real one have the same links.
 * @returns text by file name
 */
export function pairFiles(
  { kind, number, paths, film }: NetworkPair,
  seconds: number,
): Map<string, string> {
  const name = `${kind}-${number}`;
  const endMs = seconds * 1000 - LAST_MS;
  const events = paths.flatMap(({ id, away = [] }) =>
    away
      .filter(({ fromMs }) => fromMs < endMs)
      .flatMap(({ fromMs, toMs }) => [
        { at: ms(fromMs), path: id, state: 'down' },
        ...(toMs < endMs ? [{ at: ms(toMs), path: id, state: 'up' }] : []),
      ]),
  );
  const { ladderBps, segmentMs } = filmOf(film);
  const links = paths.map((path) => {
    const { id, source } = path;
    const { delayMs, queueBytes, lossRatio } = linkOf(path);
    const link = {
      trace: { file: `${name}-${id}.json` },
      delay: ms(delayMs),
      queue: `${queueBytes / 1000}kB`,
      ...(lossRatio === undefined ? {} : { loss: `${Math.round(1e4 * lossRatio) / 100}%` }),
    };
    return { id, source, link };
  });
  const scenario = {
    title: `Pair ${number} of the kind ${kind}: ${links.map(({ source }) => source).join(', ')}`,
    topology: {
      kind: 'multihomed',
      paths: Object.fromEntries(links.map(({ id, link }) => [id, link])),
    },
    ...(events.length > 0 ? { events } : {}),
    media: {
      kind: 'ladder',
      video: ladderBps.map((bps) => `${bps / 1000}kbit`),
      segment: ms(segmentMs),
      pictures: 'small',
    },
    players: ['ours', 'robust-mpc@mptcp'],
    duration: `${seconds}s`,
    trials: 1,
    seed: 1,
  };
  const traces = paths.map(({ id, stepMs, kbps }): [string, string] => {
    const steps = kbps.map((rate) => ({
      duration_ms: stepMs,
      bandwidth_kbps: rate,
      latency_ms: 0,
    }));
    return [`${name}-${id}.json`, JSON.stringify(steps)];
  });
  return new Map([[`${name}.yaml`, stringify(scenario)], ...traces]);
}

const ms = (value: number): string => `${Math.round(value)}ms`;
