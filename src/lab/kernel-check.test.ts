import { describe, expect, it } from 'vitest';
import { parseScenario } from '../scenario';
import { planKernelNetwork } from './kernel-check';

const files = { resolve: (name: string) => name, read: () => '0 1000\n1000 3000\n' };

function plan(link: string, events = ''): string[][] {
  const text = `topology: { kind: multihomed, paths: { wifi: { ${link} } } }\nbackend: kernel\n${events}`;
  return planKernelNetwork(parseScenario(text, 'a.yaml', { files }));
}

describe('planKernelNetwork', () => {
  it('plans what the kernel has', () => {
    const events =
      'events: [{at: 1s, path: wifi, delay: 20ms}, {at: 2s, path: wifi, state: blackhole}]';
    expect(plan('rate: 5mbit, delay: 10ms', events).map(([program]) => program)).toContain('tc');
  });

  it.each([
    ['trace: walk.txt', '', 'link wifi: ab.trace'],
    ['rate: 1mbit, outages: [{at: 1s, for: 1s}]', '', 'link wifi: ab.outages'],
    ['rate: 1mbit, jitter: 5ms', '', 'only with reorder: true'],
    ['rate: 1mbit, middlebox: {stripMpJoin: true}', '', 'link wifi: middlebox'],
    ['rate: 1mbit', '{at: 1s, path: wifi, state: down}', 'use blackhole'],
    ['rate: 1mbit', '{at: 1s, path: wifi, delay: 5ms}', 'only where there was some from the start'],
    ['rate: 1mbit', '{at: 1s, path: wifi, middlebox: {stripMpJoin: true}}', 'wifi: middlebox'],
  ])('refuses %s with the event %j', (link, event, message) => {
    expect(() => plan(link, event === '' ? '' : `events: [${event}]\n`)).toThrow(message);
  });
});
