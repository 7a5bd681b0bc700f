import { describe, expect, it } from 'vitest';
import { toSampleBatch } from '../../kernel';
import { rawSnapshot, rawSubflow, sampleContext } from '../../kernel/codec/testing/raw';
import { createPathBook } from './path-book';

const elsewhere = rawSubflow({
  cookie: '102',
  local: { address: '10.0.2.2', port: 5 },
  remote: { address: '10.9.0.2', port: 8080 },
});

function book(): ReturnType<typeof createPathBook> {
  const made = createPathBook();
  made.update(toSampleBatch(rawSnapshot({ subflows: [rawSubflow(), elsewhere] }), sampleContext()));
  return made;
}

describe('createPathBook', () => {
  it('reports a link loss for each path on it, by the names in the samples', () => {
    const down = (interfaceName: string): (string | undefined)[] =>
      book()
        .eventsOf({ kind: 'interface-down', interfaceName, detail: '' }, 5)
        .map((event) => event.pathId);
    expect(down('wlan0')).toEqual(['wlan0']);
    expect(down('wwan0')).toEqual(['wwan0>10.9.0.2']);
    // Not a path of the stream yet, but it may become one.
    expect(down('eth9')).toEqual(['eth9']);
  });

  it('an address without a path is not a lost path', () => {
    const gone = (address: string): (string | undefined)[] =>
      book()
        .eventsOf({ kind: 'address-removed', interfaceName: 'wlan0', address, detail: '' }, 5)
        .map((event) => event.pathId);
    expect(gone('fe80::1')).toEqual([undefined]);
    expect(gone('10.0.1.2')).toEqual(['wlan0']);
  });

  it('adds the kernel’s reason for a closed subflow, once', () => {
    const made = book();
    const { local, remote } = rawSubflow();
    made.onEvent({ kind: 'subflow-closed', local, remote, error: 110 });
    const event = {
      monotonicMs: 1,
      kind: 'subflow-closed' as const,
      detail: 'closed: 10.0.1.2:40001 to 10.9.0.1:8080',
    };
    expect(made.explain(event).detail).toBe(`${event.detail} (timed out)`);
    expect(made.explain(event)).toEqual(event);
  });
});
