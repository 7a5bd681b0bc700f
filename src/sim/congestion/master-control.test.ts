import { describe, expect, it } from 'vitest';
import { MinRtt } from '../schedulers/min-rtt';
import type { ConnectionState, SenderSubflow } from '../schedulers/scheduler';
import { ack } from '../testing/acks';
import { shareBesideReno } from '../testing/one-link';
import { connectionState, subflow } from '../testing/subflow-states';
import type { CongestionControl, SubflowView } from './congestion-control';
import { congestionControls } from './controls';
import { MasterControl } from './master-control';

const { lia, reno, bbr } = congestionControls;

/** Two established subflows under a pair of controls. */
function twoSubflows(master: MasterControl): {
  group: SubflowView[];
  controls: CongestionControl[];
} {
  const group: SubflowView[] = [];
  const controls = [0, 1].map(() => {
    const control = master.createCongestion(group);
    group.push({ cwnd: 10, srttNs: 100e6, isEstablished: true });
    return control;
  });
  return { group, controls };
}

const at = (nowNs: number): ConnectionState => ({ ...connectionState, nowNs });

describe('MasterControl', () => {
  it('bounds the data in flight by the sum of the coupled windows', () => {
    const master = new MasterControl(lia, reno, 'total');
    const { group } = twoSubflows(master);
    const gate = master.schedule(new MinRtt(), group);
    const states = (first: number, second: number): SenderSubflow[] => [
      subflow(0, { inFlight: first, cwnd: 30, room: 30 - first }),
      subflow(1, { inFlight: second, cwnd: 30, room: 30 - second }),
    ];
    // Both start with ten segments; one path may use more than its own ten.
    expect(gate.pick(states(19, 0), at(0))).toBeDefined();
    expect(gate.pick(states(15, 5), at(0))).toBeUndefined();
  });

  it('grows the coupled windows only while they limit the sender', () => {
    const master = new MasterControl(lia, reno, 'total');
    const { group, controls } = twoSubflows(master);
    const gate = master.schedule(new MinRtt(), group);
    const loaded = (inFlight: number): SenderSubflow[] => [
      subflow(0, { inFlight, cwnd: 90, room: 90 - inFlight }),
    ];
    // The coupled window does not limit the sender yet, so ten and ten remain although five have arrived.
    controls[0]?.onAck(ack({ nowNs: 1e9, delivered: 5 }));
    expect(gate.pick(loaded(19), at(1e9))).toBeDefined();
    expect(gate.pick(loaded(20), at(1e9))).toBeUndefined();
    controls[0]?.onAck(ack({ nowNs: 1.05e9, delivered: 5 }));
    expect(gate.pick(loaded(24), at(1.1e9))).toBeDefined();
    expect(gate.pick(loaded(25), at(1.1e9))).toBeUndefined();
    // The path's own window grew both times.
    expect(controls[0]?.cwnd).toBe(20);
  });

  it('limits each path to the smaller of its two windows in per-path mode', () => {
    const master = new MasterControl(lia, reno, 'per-path');
    const { group, controls } = twoSubflows(master);
    const [first] = controls;
    // In slow start both grow alike; after a loss LIA, coupled to a sibling, is the slower one.
    first?.onAck(ack({ delivered: 10 }));
    expect(first?.cwnd).toBe(20);
    first?.onCongestion(0, 20);
    expect(first?.cwnd).toBe(10);
    first?.onAck(ack({ delivered: 1 }));
    expect((first?.cwnd ?? 0) - 10).toBeGreaterThan(0);
    expect((first?.cwnd ?? 0) - 10).toBeLessThan(0.06);
    const inner = new MinRtt();
    expect(master.schedule(inner, group)).toBe(inner);
  });

  it('gives each path a part of the coupled sum in shared-total mode, by the windows of the paths', () => {
    const master = new MasterControl(lia, reno, 'shared-total');
    const { group, controls } = twoSubflows(master);
    const [first, second] = controls;
    // Slow start: both windows of the first path have 20 segments, and 10 after a loss.
    first?.onAck(ack({ delivered: 10 }));
    first?.onCongestion(0, 20);
    expect([first?.cwnd, second?.cwnd]).toEqual([10, 10]);
    // Reno adds a segment a round trip to the path's window until the sum, to which LIA adds less, holds it back.
    for (let round = 0; round < 10; round += 1) first?.onAck(ack({ delivered: 10 + round }));
    const [one = 0, other = 0] = [first?.cwnd, second?.cwnd];
    expect(one + other).toBeGreaterThan(20);
    expect(one + other).toBeLessThan(24);
    // The other path gives up a part of its own ten segments.
    expect(other).toBeLessThan(10);
    const inner = new MinRtt();
    expect(master.schedule(inner, group)).toBe(inner);
  });

  it('makes a fair connection of uncoupled subflows', () => {
    const share = (scope: 'total' | 'per-path'): number => {
      const master = new MasterControl(lia, reno, scope);
      return shareBesideReno(master.createCongestion, 2, {
        createScheduler: (group) => master.schedule(new MinRtt(), group),
      });
    };
    for (const scope of ['total', 'per-path'] as const) {
      expect(share(scope), scope).toBeGreaterThan(0.2);
      expect(share(scope), scope).toBeLessThan(0.58);
    }
  });

  it('passes on pacing and recovery of the path’s own control', () => {
    const master = new MasterControl(lia, bbr, 'total');
    const [control] = twoSubflows(master).controls;
    expect(control?.name).toBe('lia with bbr');
    expect(control?.ownsRecovery).toBe(true);
    expect(control?.pacingBps).toBeUndefined();
    control?.onAck(ack({ deliveryRate: 500 }));
    expect(control?.pacingBps).toBeGreaterThan(500 * 1500 * 8);
  });
});
