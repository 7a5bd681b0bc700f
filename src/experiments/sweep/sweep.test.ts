import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridValues, readAxis, splitList, valueAt } from './axis';
import { sweepColumns } from './columns';
import { planSweep } from './plan';
import { sweepPoints } from './points';
import { readPlayers } from './sweep-player';

const values = (text: string): readonly string[] => gridValues(readAxis('p', text));

describe('the values of a parameter', () => {
  it.each([
    ['1mbit', ['1mbit']],
    ['1mbit, 2mbit,1mbit', ['1mbit', '2mbit']],
    ['{rate: 1mbit, delay: 2ms},[a,b]', ['{rate: 1mbit, delay: 2ms}', '[a,b]']],
    ['"a,b",c', ['"a,b"', 'c']],
    ['../traces/a.json,../traces/b.json', ['../traces/a.json', '../traces/b.json']],
    ['1mbit..3mbit/3', ['1mbit', '2mbit', '3mbit']],
    ['500kbit..2mbit/3 log', ['500kbit', '1000kbit', '2000kbit']],
    ['0%..1%/3', ['0%', '0.5%', '1%']],
    ['1..4/4', ['1', '2', '3', '4']],
    ['1..2/5', ['1', '2']],
    ['0.5..1/2', ['0.5', '1']],
  ])('%s', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    ['1mbit..3mbit', /number of values of a range, such as 1mbit\.\.3mbit\/5; or .*--sample/],
    ['1mbit..3ms/2', /same kind/],
    ['3mbit..1mbit/2', /smaller value/],
    ['0%..1%/3 log', /above 0/],
    ['1..3/1', /2 to/],
    ['a,,b', /empty/],
  ])('%s is refused', (text, why) => {
    expect(() => values(text)).toThrow(why);
  });

  it('stay within their range, in the unit of its lower end', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('20ms..2s', '20ms..2s log'),
        (share, text) => {
          const axis = readAxis('p', text);
          if (!('range' in axis)) throw new Error('no range');
          const value = Number(/^([\d.]+)ms$/.exec(valueAt(axis.range, share))?.[1]);
          expect(value).toBeGreaterThanOrEqual(20);
          expect(value).toBeLessThanOrEqual(2000);
        },
      ),
    );
  });

  it('are split correctly in nested lists', () => {
    const part = fc.stringMatching(/^[a-z0-9 .:]{0,6}$/).map((text) => `{${text},[x,'y]']}`);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        expect(splitList(parts.join(','))).toEqual(parts);
      }),
    );
  });
});

describe('the points of a sweep', () => {
  const axes = [readAxis('a', '1,2'), readAxis('b', 'x,y,z')];

  it('are every combination once, or one without parameters', () => {
    const points = sweepPoints(axes, undefined, 1).map(({ set }) =>
      set.map(({ value }) => value).join(''),
    );
    expect(points).toEqual(['1x', '1y', '1z', '2x', '2y', '2z']);
    expect(sweepPoints([], undefined, 1)).toEqual([{ set: [] }]);
  });

  it('drawn at random are equal for a seed, and a larger count only adds points', () => {
    const drawn = [...axes, readAxis('c', '1ms..9ms')];
    const ten = sweepPoints(drawn, 10, 7);
    expect(sweepPoints(drawn, 20, 7).slice(0, 10)).toEqual(ten);
    expect(sweepPoints(drawn, 10, 8)).not.toEqual(ten);
    expect(new Set(ten.map(({ set }) => set[2]?.value)).size).toBe(10);
  });

  it('are refused if they are too many or a parameter occurs twice', () => {
    const many = Array.from({ length: 7 }, (_, i) => readAxis(`p${i}`, '1..10/10'));
    expect(() => sweepPoints(many, undefined, 1)).toThrow(/10000000 points.*--sample/);
    expect(() => sweepPoints([...axes, ...axes], 1, 1)).toThrow(/a is swept twice/);
  });
});

describe('players of a sweep', () => {
  it('use MPTCP, a path, each path or a policy', () => {
    const texts = [
      'ours',
      'bola',
      'bba@each-path',
      'robust-mpc@metered',
      'throughput@tcp',
      'bba@lte',
    ];
    expect(readPlayers(texts, ['wifi', 'lte']).map(({ id }) => id)).toEqual([
      'multipath@ranges',
      'bola@mptcp',
      'bba@wifi',
      'bba@lte',
      'robust-mpc@metered',
      'throughput@wifi',
    ]);
  });

  it('fetch byte ranges with ours or another chunk scheduler', () => {
    const [ours, bba] = readPlayers(['ours@ranges', 'bba@ranges-tp-sty'], ['wifi']);
    expect(ours?.carriage).toEqual({ kind: 'ranges' });
    expect(bba).toMatchObject({ id: 'bba@ranges-tp-sty', carriage: { scheduler: 'tp-sty' } });
  });

  it('are refused by name if there is no simulation of them', () => {
    expect(() => readPlayers(['dynamic@mptcp'], ['wifi'])).toThrow(/robust-mpc/);
    expect(() => readPlayers(['bola@lte'], ['wifi'])).toThrow(/wifi, all/);
  });
});

describe('the sessions of a sweep', () => {
  const sweep = {
    scenarios: [{ file: '/s/a.yaml', players: readPlayers(['ours', 'bba'], ['wifi']) }],
    points: sweepPoints([readAxis('a', '1,2,3')], undefined, 1),
    schedulers: ['mainline', 'blest'],
    congestion: [],
    trials: 2,
    seed: 5,
  };

  it('are all combinations, with the same seed for all players of a trial', () => {
    const jobs = planSweep(sweep);
    expect(jobs).toHaveLength(24);
    expect(new Set(jobs.map(({ key }) => key)).size).toBe(24);
    expect(new Set(jobs.map(({ seed }) => seed))).toEqual(new Set([5, 6]));
  });

  it.each([
    ['/opt/scenarios/decisions/two-unequal.yaml', 'decisions/two-unequal'],
    ['/opt/scenarios/old/scenarios/tls-http2.yml', 'tls-http2'],
    ['/home/me/sub/mine.yaml', 'mine'],
  ])('of %s are named by its path below scenarios/', (file, name) => {
    const [scenario] = sweep.scenarios.map((one) => ({ ...one, file }));
    if (scenario === undefined) throw new Error('no scenario');
    const rows = planSweep({ ...sweep, scenarios: [scenario] }).map((job) => ({
      job,
      metrics: {},
    }));
    const column = sweepColumns(rows, []).find((one) => one.name === 'scenario');
    expect(new Set<unknown>(column?.data)).toEqual(new Set([name]));
  });

  it.each([1, 2, 5, 40])('are split among %i machines without loss', (of) => {
    const whole = planSweep(sweep);
    const shards = Array.from({ length: of }, (_, i) =>
      planSweep({ ...sweep, shard: { index: i + 1, of } }),
    );
    const keys = shards.flat().map(({ key }) => key);
    expect([...keys].sort()).toEqual(whole.map(({ key }) => key).sort());
    const sizes = shards.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});
