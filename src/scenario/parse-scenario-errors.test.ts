import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ScenarioError } from '.';
import { issuesOf, MINIMAL, one, parse } from './testing/parse';

describe('parseScenario, given invalid files', () => {
  it('reports all problems, each with line, column, field and the allowed values', () => {
    const issues = issuesOf(`topology:
  kind: multihomed
  paths:
    wifi: { raet: 5mbit, delay: 10 }
    lte: { rate: 600kbit, queue: { discipline: fifo } }
players: [dynamo@mptcp]
seeed: 1
`);
    for (const expected of [
      { line: 4, column: 13, field: 'topology.paths.wifi.raet' },
      { line: 4, column: 26, field: 'topology.paths.wifi.delay' },
      { line: 5, column: 36, field: 'topology.paths.lte.queue.discipline' },
      { line: 7, column: 1, field: 'seeed' },
    ]) {
      expect(issues).toContainEqual(expect.objectContaining({ file: 'lab/two.yaml', ...expected }));
    }
    expect(issues).toHaveLength(4);
    const text = issues.map(({ message }) => message).join('\n');
    expect(text).toContain('did you mean rate?');
    expect(text).toContain('10 has no unit: expected a time with its unit, such as 10ms');
    expect(text).toContain('one of: droptail, pie, fq_pie, codel, fq_codel');
    expect(text).toContain('did you mean seed?');
  });

  it.each([
    ['players: [dynamo@mptcp]', 'players.0', 'Did you mean dynamic?'],
    ['players: [dynamic]', 'players.0', 'expected dynamic@OVER'],
    ['players: [bola@wfi]', 'players.0', 'Did you mean wifi?'],
    ['players: [ours, ours]', 'players.1', 'as: NAME'],
    ['players: []', 'players', 'at least one'],
    [
      'players: [{abr: bola, over: wifi, policyConfig: {n: 3}}]',
      'players.0.policyConfig',
      'no settings',
    ],
    ['players: [shaka@ranges]', 'players.0', 'Shaka fetches its media itself'],
    ['players: [{abr: shaka, over: model}]', 'players.0.over', 'part of our player'],
    ['players: [{abr: shaka, over: wifi, app: electron}]', 'players.0.app', 'browser only'],
    [
      'players: [{abr: multipath, over: ranges-round-robin, app: electron}]',
      'players.0.over',
      'no chunk scheduler',
    ],
    ['players: [{abr: multipath, over: model, app: electron}]', 'players.0.over', 'no policy'],
    [
      'players: [{abr: multipath, app: electron, bufferTarget: 9s}]',
      'players.0.bufferTarget',
      'no buffer target',
    ],
    [
      'players: [{abr: bola, over: wifi, app: electron}]',
      'players.0.correction',
      'set correction: true',
    ],
    [
      'players: [{abr: multipath, app: electron}]\nmetered: [lte]',
      'players.0.app',
      'what is metered',
    ],
    ['events: [{at: 1s, state: down}]', 'events.0', 'either path or link'],
    ['events: [{at: 1s, path: wif, state: down}]', 'events.0.path', 'Did you mean wifi?'],
    ['events: [{at: 1s, path: wifi}]', 'events.0', 'say what happens'],
    ['events: [{at: 90s, path: wifi, state: down}]', 'events.0.at', 'before the end'],
    ['events: [{at: 1s, path: wifi, state: down, every: 2s, for: 3s}]', 'events.0.for', 'shorter'],
    ['events: [{at: 1s, path: wifi, queue: pie}]', 'events.0.queue', 'cannot change'],
    ['events: [{at: 1s, path: wifi, server: down}]', 'events.0', 'at no path'],
    ['events: [{at: 1s, path: wifi, address: new, delay: 80ms}]', 'events.0', 'address and delay'],
    ['events: [{at: 1s, server: down, rate: 1mbit}]', 'events.0', 'server and rate'],
    ['events: [{at: 1s, path: wifi, middlebox: none, state: down}]', 'events.0', 'two events'],
    [
      'events: [{at: 1s, path: wifi, jitter: 5ms, for: 1s}]',
      'events.0.for',
      'only rate, trace, delay and loss',
    ],
    ['events: [{at: 1s, kill: browser, for: 1s}]', 'events.0.for', 'nothing reverts kill'],
    ['events: [{at: 1s, path: wifi, middlebox: {nat: 10.9.9.9}}]', 'events.0.middlebox.nat', 'NAT'],
    [
      'events: [{at: 1s, path: wifi, middlebox: {nat: "10.9.9.9\\nlink add x"}}]',
      'events.0.middlebox.nat',
      'expected an IP address such as 192.0.2.1, not "10.9.9.9',
    ],
    ['events: [{at: 1s, kill: browser, times: 2}]', 'events.0', 'are for answer'],
    ['events: [{at: 1s, answer: silent, match: "("}]', 'events.0.match', 'regular expression'],
    ['events: [{at: 1s, kill: browser, suspend: 1s}]', 'events.0', 'at the same time'],
    ['traffic: [{kind: ftp, from: server, to: clint}]', 'traffic.0.to', 'Did you mean client?'],
    ['server: []', 'server', 'not a list'],
    [
      'media: {kind: ladder, video: [1mbit], segment: 2s, live: {chunk: 300ms}}',
      'media.live.chunk',
      'take 400ms',
    ],
    [
      'media: {kind: ladder, video: [1mbit], segment: 4s, live: {latency: 3s, chunk: 250ms}}',
      'media.live.chunk',
      'whole frames (25 a second): take 800ms',
    ],
    [
      'media: {kind: ladder, video: [1mbit], segment: 1010ms}',
      'media.segment',
      'whole number of frames',
    ],
    [
      'media: {kind: ladder, video: [1mbit], pictures: small, segment: 2040ms}',
      'media.segment',
      '12 a second',
    ],
    ['media: {kind: ladder, video: [60mbit]}', 'media.video.0', 'between 20kbit and 50mbit'],
    ['media: {kind: ladder, video: [1mbit], audio: [16kbit]}', 'media.audio.0', '20kbit and 1mbit'],
    ['media: {kind: ladder, video: [20000.5bit]}', 'media.video.0', 'whole number of bits'],
    ['duration: 2h', 'duration', 'at most 59 min'],
    [
      'traffic: [{kind: ftp, from: server, to: client, start: 120s}]',
      'traffic.0.start',
      'not before the end, 60 s',
    ],
    [
      'media: {kind: ladder, video: [1mbit], segment: 2s, live: {latency: 3s}}',
      'media.live.latency',
      'less than two segments',
    ],
    [
      'server: {http: http2}\nmedia: {kind: ladder, video: [1mbit], pictures: small, live: {latency: 3s, chunk: 250ms}}',
      'server.http',
      'live media need http1',
    ],
    [
      'media: {kind: ladder, video: [1mbit], pictures: small, live: {chunk: 250ms}}\nevents: [{at: 1s, answer: silent}]',
      'media.live',
      'on demand',
    ],
    ['media: {kind: ladder, video: [1mbit], sizes: vbr}', 'media.sizes', 'only with pictures'],
    ['server: {http: http2, tls: false}', 'server.tls', 'only over TLS'],
    ['media: {kind: ladder, video: [2mbit, 1mbit]}', 'media.video.1', 'not above'],
    ['media: {kind: folder, dir: x, mpd: "y?z.mpd"}', 'media.mpd', 'part of a URL'],
    ['media: {kind: folder, dir: "x$y"}', 'media.dir', 'cannot serve /s/x$y'],
    ['media: {kind: folder, dir: "x\\ny"}', 'media.dir', 'in one line'],
    [
      'server: {congestionControl: "cubic x"}',
      'server.congestionControl',
      'no name of a congestion control',
    ],
    ['media: {kind: folder, dir: x, mpd: ../y.mpd}', 'media.mpd', 'within dir'],
    ['metered: [lt]', 'metered.0', 'Did you mean lte?'],
    ['trials: 0', 'trials', 'from 1 to 1000'],
    ['duration: 60', 'duration', 'no unit'],
  ])('refuses %s', (line, field, message) => {
    expect(one(`${MINIMAL}${line}\n`)).toMatchObject({
      line: 6,
      field,
      message: expect.stringContaining(message) as string,
    });
  });

  it.each([
    ['trace: none.txt', 'trace', 'cannot be read: ENOENT'],
    ['trace: bad.txt', 'trace', 'bad.txt, line 2, kbps: -3 is not between'],
    ['trace: { file: good.txt, from: 10s }', 'trace.from', 'lasts only 4 s'],
    ['trace: { file: fast.txt, scale: 10000 }', 'trace.scale', 'becomes 200 Gbit/s, more than 100'],
    ['trace: good.txt, rate: 1mbit', 'trace', 'exclude each other'],
    ['rate: 1mbit, outages: [{at: 2s, for: 1s}, {at: 1s, for: 1s}]', 'outages.1.at', 'in order'],
    [
      'loss: 1%, burstLoss: {goodToBad: 1%, badToGood: 30%}',
      'burstLoss',
      'loss and burstLoss exclude each other',
    ],
    [
      'queue: { discipline: droptail, target: 5ms }',
      'queue.target',
      'droptail has no such setting; pie, fq_pie, codel, fq_codel do',
    ],
    ['queue: 100B', 'queue', '100B is not between 1500B and 1GB'],
    ['jitter: 20s', 'jitter', '20s is not between 0ms and 10s'],
    ['queue: fifo', 'queue', 'one of droptail'],
    ['queue: { discipline: codel, burst: 50ms }', 'queue.burst', 'pie, fq_pie do'],
    ['rate: 1mbit, middlebox: {nat: fd00::9}', 'middlebox.nat', 'set topology.ip to ipv6 or dual'],
    ['rate: 1mbit, middlebox: {nat: "fe80::1%x"}', 'middlebox.nat', 'expected an IP address'],
    ['rate: 1mbit, middlebox: {nat: 192.0.2}', 'middlebox.nat', 'not "192.0.2"'],
    [
      'rate: 1mbit, middlebox: {nat: "192.0.2.1\\nset x"}',
      'middlebox.nat',
      'expected an IP address',
    ],
    ['trace: "a\\nb"', 'trace', 'in one line'],
    ['rate: 999gbit', 'rate', 'not between 1kbit and 100gbit'],
    ['rate: 1mbit, loss: 0.5', 'loss', 'such as 1%'],
  ])('refuses a link with %s', (link, field, message) => {
    expect(one(`topology:\n  kind: multihomed\n  paths:\n    wifi: { ${link} }\n`)).toMatchObject({
      line: 4,
      field: `topology.paths.wifi.${field}`,
      message: expect.stringContaining(message) as string,
    });
  });

  it.each([
    ['', 'scenario', 'expected a map with'],
    ['topology: {kind: ring}', 'topology.kind', 'expected one of multihomed'],
    [
      'topology: {kind: multihomed, paths: {model: {rate: 1mbit}}}',
      'topology.paths.model',
      'cannot be called',
    ],
    ['topology: {kind: multihomed, paths: {WiFi: {rate: 1mbit}}}', 'topology.paths.WiFi', 'a-z'],
    ['topology: {kind: multihomed, paths: {}}', 'topology.paths', 'at least one'],
    ['a: [1, 2', 'scenario', 'Flow sequence'],
    ['a: 1\na: 2', 'scenario', 'unique'],
    [
      'topology: {kind: graph, nodes: {client: client, server: server}, links: {x: {a: client, b: nobody}}}',
      'topology.links.x.b',
      'nobody',
    ],
  ])('refuses the file %j', (text, field, message) => {
    expect(issuesOf(text)).toContainEqual(
      expect.objectContaining({ field, message: expect.stringContaining(message) as string }),
    );
  });

  it('names the option where a player of the command line is wrong', () => {
    const players = (...names: string[]) => parse(MINIMAL, { players: names });
    expect(() => players('ours', 'foo')).toThrow(/^--players ours,foo: players: "foo" is not/);
  });

  it('reports the first place only where the file is not YAML', () => {
    expect(issuesOf('# Title\n\nSome text.\n`code`\n- a: b\n]\n')).toHaveLength(1);
  });

  it('refuses any other content with a ScenarioError and no other error', () => {
    const keys = fc.constantFrom(
      ...['topology', 'kind', 'paths', 'wifi', 'rate', 'delay', 'queue', 'players', 'events', 'at'],
      ...['path', 'every', 'for', 'trace', 'file', 'media', 'abr', 'over', 'traffic', 'set', 'x'],
    );
    const leaves = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('multihomed', '5mbit', '10ms', '1%', 'ours', 'down', 'wifi', 'good.txt'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5, depthSize: 'medium' },
        leaves,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.oneof({ weight: 9, arbitrary: keys }, fc.string()), tie('tree')),
      ),
    }));
    const inside = tree.map(
      (value) => `${MINIMAL}${stringify({ events: [value], players: [value] })}`,
    );
    const texts = fc.oneof(
      fc.string(),
      tree.map((value) => stringify(value)),
      inside,
    );
    expect(() => parse('"": []\n')).toThrow(/""/);
    fc.assert(
      fc.property(texts, fc.array(fc.string(), { maxLength: 2 }), (text, set) => {
        try {
          parse(text, { set });
        } catch (error) {
          expect(error).toBeInstanceOf(ScenarioError);
          for (const issue of (error as ScenarioError).issues) {
            expect(issue.line).toBeGreaterThan(0);
            expect(issue.column).toBeGreaterThan(0);
            expect(issue.field).not.toBe('');
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

it('takes segments of whole frames, whatever floating point makes of them, and any where none are made', () => {
  const of = (segment: string): string =>
    `${MINIMAL}media: { kind: ladder, video: [1mbit], segment: ${segment} }\n`;
  // 28 frames, although 1.12 * 25 is not 28.
  expect(parse(of('1120ms')).media).toMatchObject({ segmentMs: 1120 });
  expect(parse(of('1010ms'), { isSimulated: true }).media).toMatchObject({ segmentMs: 1010 });
});
