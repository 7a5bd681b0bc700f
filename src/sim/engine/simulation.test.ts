import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Simulation, SimulationError } from './simulation';
import { SplitMix64 } from './split-mix';
import { Timer } from './timer';

describe('Simulation', () => {
  it('fires in order of time, and in insertion order at one instant', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 });
    fc.assert(
      fc.property(delays, (given) => {
        const simulation = new Simulation(1);
        const fired: [number, number][] = [];
        given.forEach((delayNs, index) => {
          new Timer(simulation, () => fired.push([simulation.nowNs, index])).setIn(delayNs);
        });
        simulation.run(1000);
        const expected = given
          .map((delayNs, index): [number, number] => [delayNs, index])
          .sort(([a, i], [b, j]) => a - b || i - j);
        expect(fired).toEqual(expected);
        expect(simulation.nowNs).toBe(1000);
      }),
    );
  });

  it('moves and cancels timers as a sorted list would', () => {
    const step = fc.record({
      timer: fc.nat(9),
      atNs: fc.integer({ min: 0, max: 100 }),
      cancel: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const simulation = new Simulation(1);
        const fired: number[] = [];
        const due = new Map<number, { atNs: number; order: number }>();
        const timers = Array.from(
          { length: 10 },
          (_, index) => new Timer(simulation, () => fired.push(index)),
        );
        steps.forEach(({ timer, atNs, cancel }, order) => {
          if (cancel) {
            timers[timer]?.cancel();
            due.delete(timer);
          } else {
            timers[timer]?.setAt(atNs);
            due.set(timer, { atNs, order });
          }
        });
        expect(timers.map(({ isSet }) => isSet)).toEqual(timers.map((_, i) => due.has(i)));
        simulation.run(100);
        const expected = [...due]
          .sort(([, a], [, b]) => a.atNs - b.atNs || a.order - b.order)
          .map(([index]) => index);
        expect(fired).toEqual(expected);
      }),
    );
  });

  it('leaves later events for the next run, and stops on request', () => {
    const simulation = new Simulation(1);
    const fired: number[] = [];
    for (const atNs of [5, 10, 15]) {
      new Timer(simulation, () => {
        fired.push(atNs);
        if (atNs === 10) simulation.stop();
      }).setAt(atNs);
    }
    simulation.run(7);
    expect(fired).toEqual([5]);
    simulation.run(100);
    expect(fired).toEqual([5, 10]);
    expect(simulation.nowNs).toBe(10);
    simulation.run(100);
    expect(fired).toEqual([5, 10, 15]);
  });

  it('rounds to whole nanoseconds', () => {
    const simulation = new Simulation(1);
    const fired: number[] = [];
    for (const atNs of [2.25, 1.5, 2]) {
      new Timer(simulation, () => fired.push(simulation.nowNs)).setAt(atNs);
    }
    simulation.run(10);
    expect(fired).toEqual([2, 2, 3]);
  });

  it('fails when time stands still', () => {
    const simulation = new Simulation(1);
    const timer = new Timer(simulation, () => timer.setIn(0));
    timer.setAt(3);
    expect(() => simulation.run(10)).toThrow(SimulationError);
  });
});

describe('SplitMix64', () => {
  it('draws the published generator’s sequence', () => {
    // First words of seed 1234567 in the authors' C code, upper 53 bits.
    const words = [6457827717110365317n, 3203168211198807973n, 9817491932198370423n];
    const random = new SplitMix64(1234567);
    for (const word of words) {
      expect(random.uniform()).toBe(Number(word >> 11n) / 2 ** 53);
    }
  });

  it('agrees with 64-bit arithmetic for any seed', () => {
    const mask = (1n << 64n) - 1n;
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        let state = BigInt(seed);
        const random = new SplitMix64(seed);
        for (let i = 0; i < 8; i += 1) {
          state = (state + 0x9e3779b97f4a7c15n) & mask;
          let z = state;
          z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
          z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
          z ^= z >> 31n;
          expect(random.uniform()).toBe(Number(z >> 11n) / 2 ** 53);
        }
      }),
    );
  });

  it('gives every part of a model its own sequence', () => {
    const simulation = new Simulation(7);
    const first = (part: string): number => simulation.random(part).uniform();
    expect(first('wifi ab loss')).toBe(first('wifi ab loss'));
    expect(new Set(['wifi ab loss', 'wifi ba loss', 'lte ab loss'].map(first)).size).toBe(3);
    expect(new Simulation(8).random('wifi ab loss').uniform()).not.toBe(first('wifi ab loss'));
  });
});
