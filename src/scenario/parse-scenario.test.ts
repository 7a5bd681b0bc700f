import { describe, expect, it } from 'vitest';
import { issuesOf, MINIMAL, parse } from './testing/parse';

describe('parseScenario', () => {
  it('fills in the defaults', () => {
    const scenario = parse(MINIMAL);
    expect(scenario).toMatchObject({
      name: 'two',
      durationMs: 60_000,
      trials: 5,
      seed: 1,
      backend: 'emulator',
      server: { http: 'http1', tls: false, mptcp: true },
      media: { kind: 'demo' },
    });
    expect(scenario.players.map(({ id }) => id)).toEqual(['multipath@ranges', 'dynamic@mptcp']);
    expect(scenario.topology.paths.map(({ id }) => id)).toEqual(['wifi', 'lte']);
    const lte = scenario.topology.links.find(({ id }) => id === 'lte');
    expect(lte?.ab).toMatchObject({ rateBps: 600_000, delayMs: 150, lossRatio: 0.01 });
    expect(lte?.ab.queueBytes).toBe(60_000);
  });

  it('lets the rate of calls decide how many are on, or their number how many begin', () => {
    const calls = (fields: string): object | undefined =>
      parse(`${MINIMAL}\ntraffic: [{ kind: voip, from: server, to: client, ${fields} }]\n`)
        .traffic[0];
    expect(calls('calls: 10')).toMatchObject({
      intensity: 10,
      calls: { perSecond: 5, holdMs: 10_000, ports: 'each' },
    });
    expect(calls('perSecond: 10, hold: 1500ms, ports: one')).toMatchObject({
      intensity: 30,
      calls: { perSecond: 10, holdMs: 1500, ports: 'one' },
    });
  });

  it('applies the fields of one direction to that direction only', () => {
    const { topology } = parse(`topology:
  kind: multihomed
  paths:
    wifi:
      trace: { file: good.txt, scale: 0.5, from: 1500ms, once: true }
      delay: 20ms
      queue: { discipline: fq_pie, target: 5ms, packets: 100 }
      up: { rate: 1mbit, queue: 30kB }
`);
    const [link] = topology.links;
    const [down, up] = link?.a === 'client' ? [link.ba, link.ab] : [link?.ab, link?.ba];
    expect(down).toEqual({
      delayMs: 20,
      trace: {
        file: 'good.txt',
        once: true,
        steps: [
          { durationMs: 500, rateBps: 1_500_000 },
          { durationMs: 1000, rateBps: 1_000_000 },
          { durationMs: 1000, rateBps: 1_000_000 },
        ],
      },
      queue: { discipline: 'fq_pie', targetMs: 5, limitPackets: 100 },
    });
    expect(up).toEqual({
      delayMs: 20,
      rateBps: 1_000_000,
      queue: { discipline: 'droptail' },
      queueBytes: 30_000,
    });
  });

  it('expands shorthands of players', () => {
    const { players } = parse(`${MINIMAL}
players: [ours, dynamic@mptcp, bola@each-path, shaka@wifi, multipath@single-best, lolp@tcp,
  {abr: multipath, policyConfig: {gainFactor: 2}}, multipath@all,
  {abr: dynamic, over: model, bufferTarget: 12s, correction: true, as: fed},
  {abr: dynamic, over: mptcp, app: electron, correction: true, as: desktop}]
`);
    expect(players.map(({ id }) => id)).toEqual([
      'multipath@ranges',
      'dynamic@mptcp',
      'bola@wifi',
      'bola@lte',
      'shaka@wifi',
      'multipath@single-best',
      'lolp@tcp',
      'multipath@model',
      'multipath@all',
      'fed',
      'desktop',
    ]);
    expect(players[3]?.carriage).toEqual({ kind: 'path', path: 'lte' });
    expect(players.at(-1)?.app).toBe('electron');
    expect(players.at(-2)).toEqual({
      id: 'fed',
      app: 'browser',
      abr: 'dynamic',
      carriage: { kind: 'policy', policy: 'model' },
      correction: true,
      bufferTargetMs: 12_000,
    });
    expect(players[1]?.correction).toBe(false);
  });

  it('drops traffic that starts behind a shorter end', () => {
    const text = `${MINIMAL}traffic: [{ kind: ftp, from: server, to: client, start: 20s }]\n`;
    expect(parse(text).traffic).toHaveLength(1);
    expect(parse(text, { durationMs: 15_000 }).traffic).toEqual([]);
  });

  it('lets the fields of one direction replace those of both', () => {
    const { topology, events } = parse(`topology:
  kind: multihomed
  paths:
    wifi:
      rate: 1mbit
      burstLoss: { goodToBad: 1%, badToGood: 30% }
      down: { loss: 2% }
events:
  - { at: 1s, path: wifi, trace: good.txt, loss: 1%, down: { rate: 2mbit } }
`);
    expect(topology.links[0]?.ba).toMatchObject({ lossRatio: 0.02 });
    expect(topology.links[0]?.ba).not.toHaveProperty('burstLoss');
    expect(events[0]).toMatchObject({ ba: { rateBps: 2e6, lossRatio: 0.01 } });
    expect(events[0]).not.toHaveProperty('ba.trace');
  });

  it('lets players fetch byte ranges, with ours or another chunk scheduler', () => {
    const { players } = parse(`${MINIMAL}players: [ours@ranges, bola@ranges-gr-sty]`);
    expect(players.map(({ id, carriage }) => ({ id, carriage }))).toEqual([
      { id: 'multipath@ranges', carriage: { kind: 'ranges' } },
      { id: 'bola@ranges-gr-sty', carriage: { kind: 'ranges', scheduler: 'gr-sty' } },
    ]);
  });

  it('takes fields and players from the command line, and names the option in errors', () => {
    const scenario = parse(MINIMAL, {
      set: ['topology.paths.wifi.rate=8mbit', 'trials=3', 'players=[ours]'],
      players: ['ours', 'bola@lte'],
      durationMs: 9000,
    });
    expect(scenario.topology.links[0]?.ab.rateBps).toBe(8e6);
    expect(scenario.trials).toBe(3);
    expect(scenario.durationMs).toBe(9000);
    expect(scenario.players.map(({ id }) => id)).toEqual(['multipath@ranges', 'bola@lte']);
    const set = ['topology.paths.wifi.rate=8', 'trails=3'];
    expect(issuesOf(MINIMAL, { set })).toMatchObject([
      {
        file: '--set topology.paths.wifi.rate=8',
        field: 'topology.paths.wifi.rate',
        message: expect.stringContaining('8 has no unit') as string,
      },
      {
        file: '--set trails=3',
        message: expect.stringContaining('did you mean trials?') as string,
      },
    ]);
    expect(issuesOf(MINIMAL, { set: ['trials'] })[0]?.message).toContain('expected KEY=VALUE');
    const [wrong] = issuesOf(MINIMAL, { set: ['topology.paths.wfi.rate=8mbit'] });
    expect(wrong?.message).toContain('Did you mean wifi?');
    expect(wrong?.file).toBe('--set topology.paths.wfi.rate=8mbit');
    expect(issuesOf(MINIMAL, { set: ['trails=3'] })[0]?.message).toContain('did you mean trials?');
    // The file lacks the field: its first line would be the wrong place.
    expect(issuesOf(MINIMAL, { set: ['paths.wifi.rate=8mbit'] })[0]).toMatchObject({
      file: '--set paths.wifi.rate=8mbit',
      field: 'paths',
    });
    expect(issuesOf(MINIMAL, { set: ['media.segment=4s'] })).toMatchObject([
      { file: '--set media.segment=4s', field: 'media.kind' },
    ]);
    expect(issuesOf(MINIMAL, { set: ['players=[ours'] })[0]?.message).toBe(
      'players: Flow sequence must end with a ]',
    );
    expect(issuesOf(`${MINIMAL}players: [ours]`, { set: ['players.7.abr=bola'] })[0]?.field).toBe(
      'players.7.abr',
    );
  });

  it('sets a field beside the short form of its map', () => {
    const text = `topology:
  kind: multihomed
  paths:
    wifi: { rate: 5mbit, queue: pie, jitter: 5ms }
    lte: { trace: good.txt, queue: 100kB }
players: [ours, dynamic@mptcp]
`;
    const { topology, players } = parse(text, {
      set: [
        ...['wifi.queue.target=5ms', 'wifi.jitter.shape=normal', 'lte.trace.scale=2'].map(
          (one) => `topology.paths.${one}`,
        ),
        'topology.paths.lte.queue.discipline=fq_codel',
        'players.1.bufferTarget=12s',
      ],
    });
    const [wifi, lte] = topology.links;
    expect(wifi?.ab).toMatchObject({
      queue: { discipline: 'pie', targetMs: 5 },
      jitter: { shape: 'normal', spreadMs: 5 },
    });
    expect(lte?.ab).toMatchObject({ queue: { discipline: 'fq_codel' }, queueBytes: 100_000 });
    expect(lte?.ab.trace?.steps[0]?.rateBps).toBe(2e6);
    expect(players[1]).toMatchObject({ id: 'dynamic@mptcp', bufferTargetMs: 12_000 });
    for (const set of ['topology.paths.wifi.rate.min=1mbit', 'topology.kind.x=1']) {
      expect(issuesOf(text, { set: [set] })).toMatchObject([
        {
          file: `--set ${set}`,
          message: expect.stringContaining('has no fields: set it as a whole') as string,
        },
      ]);
    }
  });

  it('reads every kind of topology', () => {
    const kinds = [
      '{kind: three-path, variant: 3p-50}',
      '{kind: dumbbell, bottleneck1: {rate: 10mbit, delay: 5ms, queue: pie}, bottleneck2: {rate: 10mbit, delay: 5ms, back: {rate: 1mbit}}}',
      '{kind: shared-bottleneck, access: {wifi: {rate: 5mbit}, lte: {rate: 5mbit}}, shared: {rate: 6mbit, delay: 5ms}}',
      '{kind: graph, nodes: {me: client, r: router, web: server}, links: {x: {a: me, b: r, rate: 1mbit, ab: {delay: 5ms}}, y: {a: r, b: web}}}',
    ];
    for (const kind of kinds) {
      const { topology } = parse(`topology: ${kind}`);
      expect(topology.paths.length).toBeGreaterThan(0);
      expect(topology.nodes.filter(({ role }) => role === 'server')).toHaveLength(1);
    }
  });
});
