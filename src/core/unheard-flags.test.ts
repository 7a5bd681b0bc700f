import { describe, expect, it } from 'vitest';
import type { SampleBatch, SubflowState } from './network';
import { UnheardFlags } from './unheard-flags';

const WIFI = { address: '10.0.1.2', port: 1 };
const LTE = { address: '10.0.2.2', port: 2 };
const server = { address: '10.9.0.1', port: 443 };
const heard: never[] = [];

interface Second {
  wifi?: SubflowState;
  lte: SubflowState;
  /** Bytes received in this second. */
  wifiBytes?: number;
  lteBytes: number;
  /** Default: ten, a second of them. */
  samples?: number;
}

/** Plays seconds of samples, ten each, and returns the flags to repeat in each second. */
function player(kind: 'mptcp' | 'fallback' = 'mptcp'): (second: Second) => string[] {
  const flags = new UnheardFlags();
  let monotonicMs = 1000;
  let [wifiReceived, lteReceived] = [0, 0];
  const sample = ({ wifi = 'active', lte }: Second): SampleBatch => {
    const subflow = (id: string, local: typeof WIFI, state: SubflowState, bytes: number) => ({
      subflowId: id,
      pathId: id,
      local,
      remote: server,
      state,
      bytesReceived: Math.round(bytes),
    });
    const subflows = [subflow('1', WIFI, wifi, wifiReceived), subflow('2', LTE, lte, lteReceived)];
    const ends = { local: WIFI, remote: server };
    return {
      monotonicMs,
      lostSamples: 0,
      connections: [{ connectionId: 'm:1', kind, inOrderBytes: 0, subflows, ...ends }],
    };
  };
  return (second) => {
    const unheard: string[] = [];
    for (let i = 0; i < (second.samples ?? 10); i += 1) {
      monotonicMs += 100;
      wifiReceived += (second.wifiBytes ?? 200_000) / 10;
      lteReceived += second.lteBytes / 10;
      for (const flag of flags.observe(sample(second))) {
        unheard.push(`${flag.local.address} ${flag.backup ? 'backup' : 'active'}`);
      }
    }
    return unheard;
  };
}

describe('a backup flag that its server did not hear', () => {
  it('is repeated at growing intervals while the backup receives, and five times at most', () => {
    const play = player();
    play({ lte: 'active', lteBytes: 100_000 });
    const at: number[] = [];
    for (let second = 1; second <= 120; second += 1) {
      const unheard = play({ lte: 'backup', lteBytes: 100_000 });
      if (unheard.length > 0) at.push(second);
      expect(unheard.every((item) => item === `${LTE.address} backup`)).toBe(true);
    }
    expect(at).toHaveLength(5);
    const waits = at.slice(1).map((second, i) => second - (at[i] ?? 0));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(at[0]).toBeLessThanOrEqual(3);
  });

  it('is not repeated for what was under way, nor for a single retransmission', () => {
    const play = player();
    play({ lte: 'active', lteBytes: 100_000 });
    expect(play({ lte: 'backup', lteBytes: 100_000 })).toEqual(heard);
    for (let second = 0; second < 5; second += 1) {
      expect(play({ lte: 'backup', lteBytes: 1400 })).toEqual(heard);
    }
  });

  it.each<Partial<Second>>([{ wifiBytes: 0 }, { wifi: 'closed' }])(
    'is not repeated while no active subflow receives: then a backup is used: %j',
    (more) => {
      const play = player();
      play({ lte: 'active', lteBytes: 100_000 });
      for (let second = 0; second < 5; second += 1) {
        expect(play({ lte: 'backup', lteBytes: 100_000, ...more })).toEqual(heard);
      }
    },
  );

  it('starts anew with each change of the state', () => {
    const play = player();
    for (let change = 0; change < 2; change += 1) {
      play({ lte: 'active', lteBytes: 100_000 });
      let repeats = 0;
      for (let second = 0; second < 90; second += 1) {
        repeats += play({ lte: 'backup', lteBytes: 100_000 }).length;
      }
      expect(repeats).toBe(5);
    }
  });

  it('counts a change that a repetition makes as none', () => {
    const play = player();
    play({ lte: 'active', lteBytes: 100_000 });
    let repeats = 0;
    for (let second = 0; second < 120; second += 1) {
      const unheard = play({ lte: 'backup', lteBytes: 100_000 });
      repeats += unheard.length;
      if (unheard.length > 0) play({ lte: 'active', lteBytes: 100_000, samples: 1 });
    }
    expect(repeats).toBe(5);
  });

  it('is repeated for a subflow that is active again and receives nothing', () => {
    const play = player();
    play({ lte: 'backup', lteBytes: 0 });
    const unheard = [1, 2, 3].flatMap(() => play({ lte: 'active', lteBytes: 0 }));
    expect(unheard).toEqual([`${LTE.address} active`]);
    play({ lte: 'active', lteBytes: 100_000 });
    play({ lte: 'active', lteBytes: 100_000 });
    // It was heard: a server that needs one path only may leave the other idle.
    for (let second = 0; second < 10; second += 1) {
      expect(play({ lte: 'active', lteBytes: 0 })).toEqual(heard);
    }
  });

  it('needs a subflow that was a backup, and a connection over MPTCP', () => {
    const idle = player();
    const fallback = player('fallback');
    for (let second = 0; second < 10; second += 1) {
      expect(idle({ lte: 'active', lteBytes: 0 })).toEqual(heard);
      expect(fallback({ lte: 'backup', lteBytes: 100_000 })).toEqual(heard);
    }
  });
});
