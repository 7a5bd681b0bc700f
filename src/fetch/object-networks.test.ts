import { describe, expect, it } from 'vitest';
import { ObjectNetworks, type Progress, type Standing } from './object-networks';
import { OriginFacts } from './origin-book';

const unanswered: Progress = {
  isFetched: false,
  isConnected: false,
  isPaused: false,
  isRefused: false,
  isUntouched: true,
};
const refused: Progress = { ...unanswered, isRefused: true };
const open: Standing = {
  networkId: 'a',
  exclusion: undefined,
  refused: undefined,
  unreached: undefined,
  barredBy: undefined,
};
const forGood: Standing = { ...open, exclusion: { untilMs: Infinity, reason: 'HTTP 404' } };
const barred: Standing = { ...open, barredBy: 'not in use' };
const unreached: Standing = {
  ...open,
  exclusion: { untilMs: 9000, reason: '', isConnect: true },
  unreached: 'no answer',
};
const putOff: Standing = {
  ...open,
  exclusion: { untilMs: 9000, reason: 'the server asks to wait' },
};
const closedAt = (atMs: number): Standing => ({
  ...unreached,
  refused: { atMs },
});
const closed = closedAt(0);
const closedAndOpen: Standing = { ...closed, exclusion: undefined };

const networks = (): ObjectNetworks =>
  new ObjectNetworks(new URL('http://127.0.0.1/x'), new OriginFacts());

describe('an object that no network can fetch', () => {
  it('is given up at once where all that can answer refused it', () => {
    for (const other of [forGood, barred, unreached])
      expect(networks().isHopeless([forGood, other], refused, 0)).toBe(true);
  });

  it('has the whole time from then on, however long it waited for its turn before', () => {
    const object = networks();
    for (let nowMs = 0; nowMs <= 20_000; nowMs += 1000)
      expect(object.isHopeless([open], unanswered, nowMs)).toBe(false);
    const until = { ...unreached, exclusion: { untilMs: 60_000, reason: '', isConnect: true } };
    expect(object.isHopeless([until], unanswered, 20_100)).toBe(false);
    expect(object.isHopeless([until], unanswered, 33_000)).toBe(true);
  });

  it('waits a second for a network that could answer and is not asked, as long as it takes for one that is', () => {
    const object = networks();
    expect(object.isHopeless([forGood, open], refused, 0)).toBe(false);
    expect(object.isHopeless([forGood, open], { ...refused, isFetched: true }, 900)).toBe(false);
    expect(object.isHopeless([forGood, open], refused, 1000)).toBe(false);
    expect(object.isHopeless([forGood, open], refused, 2000)).toBe(true);
  });

  it('waits longer where the server asks to wait, and where nobody answered', () => {
    const object = networks();
    expect(object.isHopeless([putOff, barred], refused, 0)).toBe(false);
    expect(object.isHopeless([putOff, barred], refused, 11_000)).toBe(false);
    expect(object.isHopeless([putOff, barred], refused, 12_000)).toBe(true);
    // After its wait it is asked again.
    const again = networks();
    expect(again.isHopeless([putOff, forGood], refused, 0)).toBe(false);
    expect(again.isHopeless([open, forGood], refused, 1500)).toBe(false);
    const silent = networks();
    expect(silent.isHopeless([unreached, barred], unanswered, 0)).toBe(false);
    expect(silent.isHopeless([unreached, barred], unanswered, 2000)).toBe(false);
    expect(silent.isHopeless([open, barred], unanswered, 99_000)).toBe(false);
    expect(networks().isHopeless([], refused, 0)).toBe(false);
  });

  it('waits a second where the server refuses connections over all networks, also while it is asked again', () => {
    const object = networks();
    expect(object.isHopeless([closed, barred], unanswered, 0)).toBe(false);
    const again = { ...unanswered, isFetched: true };
    expect(object.isHopeless([closedAndOpen, barred], again, 500)).toBe(false);
    expect(object.isHopeless([closedAt(500), barred], unanswered, 999)).toBe(false);
    expect(object.isHopeless([closedAt(500), barred], unanswered, 1000)).toBe(true);
    // A part of it is here: its server may be restarting.
    const begun = networks();
    for (const nowMs of [0, 1000, 5000])
      expect(
        begun.isHopeless([closedAt(nowMs), barred], { ...unanswered, isUntouched: false }, nowMs),
      ).toBe(false);
  });

  it('is not given up by what an earlier object met: its server may be back', () => {
    const object = networks();
    for (const nowMs of [10, 1000, 3000])
      expect(object.isHopeless([closed, closed], unanswered, nowMs)).toBe(false);
    expect(object.isHopeless([closedAt(3500), closed], unanswered, 3500)).toBe(false);
    expect(object.isHopeless([closedAt(3500), closedAt(3600)], unanswered, 3600)).toBe(true);
  });

  it('waits longer where one network is refused and another does not answer', () => {
    const object = networks();
    for (const nowMs of [0, 1000, 5000])
      expect(object.isHopeless([closed, unreached], unanswered, nowMs)).toBe(false);
    expect(networks().isHopeless([barred], unanswered, 0)).toBe(false);
  });

  it('counts the attempts to connect since its last request on an open connection', () => {
    const connecting: Progress = { ...unanswered, isFetched: true };
    const reconnecting: Standing = { ...unreached, exclusion: undefined };
    const object = networks();
    expect(object.isHopeless([open, open], { ...connecting, isConnected: true }, 0)).toBe(false);
    // The first attempt over each network lasts four seconds.
    expect(object.isHopeless([open, open], connecting, 4000)).toBe(false);
    expect(object.isHopeless([unreached, open], connecting, 8000)).toBe(false);
    expect(object.isHopeless([reconnecting, unreached], connecting, 8001)).toBe(false);
    expect(object.isHopeless([reconnecting, reconnecting], connecting, 11_999)).toBe(false);
    expect(object.isHopeless([reconnecting, reconnecting], connecting, 12_000)).toBe(true);
  });

  it('is not given up while a network carries it, may carry it, or its reader takes nothing', () => {
    for (const [other, progress] of [
      [unreached, { ...unanswered, isFetched: true, isConnected: true }],
      [unreached, { ...unanswered, isPaused: true }],
      [open, unanswered],
    ] as const) {
      const object = networks();
      for (let nowMs = 0; nowMs < 60_000; nowMs += 1000)
        expect(object.isHopeless([unreached, other], progress, nowMs)).toBe(false);
    }
  });

  it('waits anew where a network is out for another reason than its connection', () => {
    const object = networks();
    expect(object.isHopeless([unreached, open], unanswered, 0)).toBe(false);
    expect(object.isHopeless([unreached, open], unanswered, 20_000)).toBe(false);
    expect(object.isHopeless([unreached, putOff], unanswered, 20_001)).toBe(false);
    expect(object.isHopeless([unreached, putOff], unanswered, 32_001)).toBe(true);
  });
});
