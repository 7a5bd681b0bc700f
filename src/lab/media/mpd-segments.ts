import { LabError } from '../errors';
import type { MpdElement } from './mpd-tree';

/** A rung as the MPD lists it. */
export interface MpdRung {
  type: 'video' | 'audio';
  bitrateBps: number;
  /** Segments in order, relative to the MPD's folder. */
  files: string[];
  durationsMs: number[];
}

interface Place {
  element: MpdElement;
  /** Elements from the MPD down to the representation. */
  chain: MpdElement[];
  fail: (what: string) => LabError;
}

function childrenOf(element: MpdElement, name: string): MpdElement[] {
  return element.children.filter((child) => child.name === name);
}

/** A day of segments of a second. More is a mistake, or an MPD that wants all memory. */
const MAX_SEGMENTS = 86_400;

function checkCount(place: Place, count: number): void {
  if (count >= 0 && count <= MAX_SEGMENTS) return;
  throw place.fail(`${count} segments: at most ${MAX_SEGMENTS} are read`);
}

/** ISO 8601, as MPDs use it: days to seconds. */
export function durationMs(text: string | undefined): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text ?? '');
  if (match === null) return undefined;
  const parts: (string | undefined)[] = match.slice(1);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

function innermostFirst(place: Place): MpdElement[] {
  return [...place.chain].reverse();
}

/**
 * An attribute of the innermost SegmentTemplate or SegmentList that has it; inner elements inherit from outer
 * ones.
 */
function inherited(place: Place, name: string, attribute: string): string | undefined {
  const found = innermostFirst(place)
    .flatMap((element) => childrenOf(element, name))
    .find((element) => element.attributes[attribute] !== undefined);
  return found?.attributes[attribute];
}

function timeline(place: Place, name: string): MpdElement | undefined {
  return innermostFirst(place)
    .flatMap((element) => childrenOf(element, name))
    .flatMap((element) => childrenOf(element, 'SegmentTimeline'))[0];
}

function baseUrl(place: Place): string {
  const base = place.chain
    .map((element) => childrenOf(element, 'BaseURL')[0]?.text ?? '')
    .reduce((path, part) => (part === '' ? path : `${path.replace(/[^/]*$/, '')}${part}`), '');
  if (/^[a-z]+:|^\//.test(base)) throw place.fail(`BaseURL ${base} leads out of the folder`);
  return base.replace(/[^/]*$/, '');
}

/** Ticks a second. */
function timescaleOf(place: Place, name: string): number {
  const timescale = Number(inherited(place, name, 'timescale') ?? 1);
  if (timescale > 0 && timescale < Infinity) return timescale;
  throw place.fail(`the timescale of ${name} is no number above 0`);
}

/** @returns start time and duration of each segment, in ticks */
function ticks(place: Place, name: string, wholeMs: number): { start: number; length: number }[] {
  const timescale = timescaleOf(place, name);
  const wholeTicks = (wholeMs / 1000) * timescale;
  const list = timeline(place, name);
  if (list === undefined) {
    const length = Number(inherited(place, name, 'duration'));
    if (!(length > 0)) throw place.fail(`${name} has neither a SegmentTimeline nor a duration`);
    const count = Math.ceil(wholeTicks / length - 1e-6);
    checkCount(place, count);
    return Array.from({ length: count }, (_, index) => ({
      start: index * length,
      length: Math.min(length, wholeTicks - index * length),
    }));
  }
  const segments: { start: number; length: number }[] = [];
  let now = 0;
  const entries = childrenOf(list, 'S');
  for (const [index, { attributes }] of entries.entries()) {
    const length = Number(attributes['d']);
    if (!(length > 0 && length < Infinity)) {
      throw place.fail('an S of the SegmentTimeline has no d');
    }
    now = Number(attributes['t'] ?? now);
    const repeat = Number(attributes['r'] ?? 0);
    // Negative: up to the next entry, or to the end.
    const endTicks = Number(entries[index + 1]?.attributes['t'] ?? wholeTicks);
    const count = repeat < 0 ? Math.ceil((endTicks - now) / length - 1e-6) : repeat + 1;
    checkCount(place, segments.length + count);
    for (let turn = 0; turn < count; turn += 1, now += length)
      segments.push({ start: now, length });
  }
  return segments;
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\$(\w*)(?:%0(\d+)d)?\$/g, (whole, name: string, width?: string) => {
    if (name === '') return '$';
    const value = values[name];
    return value === undefined ? whole : String(value).padStart(Number(width ?? 1), '0');
  });
}

function readRung(place: Place, type: MpdRung['type'], wholeMs: number): MpdRung {
  const { id = '', bandwidth } = place.element.attributes;
  const bitrateBps = Number(bandwidth);
  if (!(bitrateBps > 0)) throw place.fail('Representation has no bandwidth');
  const base = baseUrl(place);
  const kind = (name: string): boolean =>
    place.chain.some((element) => childrenOf(element, name).length > 0);
  if (kind('SegmentTemplate')) {
    const name = 'SegmentTemplate';
    const media = inherited(place, name, 'media');
    if (media === undefined) throw place.fail('SegmentTemplate has no media');
    const timescale = timescaleOf(place, name);
    const first = Number(inherited(place, name, 'startNumber') ?? 1);
    const segments = ticks(place, name, wholeMs);
    return {
      type,
      bitrateBps,
      files: segments.map(({ start }, index) => {
        const values = {
          RepresentationID: id,
          Bandwidth: bitrateBps,
          Number: first + index,
          Time: start,
        };
        return base + fill(media, values);
      }),
      durationsMs: segments.map(({ length }) => (length / timescale) * 1000),
    };
  }
  if (kind('SegmentList')) {
    const urls = innermostFirst(place)
      .flatMap((element) => childrenOf(element, 'SegmentList'))
      .flatMap((element) => childrenOf(element, 'SegmentURL'));
    const timescale = timescaleOf(place, 'SegmentList');
    const lengths = ticks(place, 'SegmentList', wholeMs).map(
      ({ length }) => (length / timescale) * 1000,
    );
    return {
      type,
      bitrateBps,
      files: urls.map(({ attributes, line }) => {
        if (attributes['media'] === undefined || attributes['mediaRange'] !== undefined) {
          throw place.fail(`the SegmentURL in line ${line} is not a whole file`);
        }
        return base + attributes['media'];
      }),
      durationsMs: urls.map((_, index) => lengths[index] ?? 0),
    };
  }
  throw place.fail('one file of byte ranges (SegmentBase): cut it into segments (ffmpeg -f dash)');
}

/**
 * All rungs of a static presentation of one period.
 * @param file for errors
 * @throws LabError MEDIA_FAILED with file, line and element
 */
export function listRungs(mpd: MpdElement, file: string): { wholeMs: number; rungs: MpdRung[] } {
  const failAt = (element: MpdElement) => (what: string) =>
    new LabError('MEDIA_FAILED', `${file}:${element.line}: ${what}`);
  if (mpd.attributes['type'] === 'dynamic') throw failAt(mpd)('a live stream cannot be measured');
  const periods = childrenOf(mpd, 'Period');
  const [period] = periods;
  if (period === undefined || periods.length > 1) {
    throw failAt(mpd)(`${periods.length} periods: one is understood`);
  }
  const written = mpd.attributes['mediaPresentationDuration'] ?? period.attributes['duration'];
  const wholeMs = durationMs(written);
  if (wholeMs === undefined) throw failAt(mpd)('mediaPresentationDuration is missing or wrong');
  const rungs = childrenOf(period, 'AdaptationSet').flatMap((set) =>
    childrenOf(set, 'Representation').flatMap((element): MpdRung[] => {
      const kind =
        set.attributes['contentType'] ??
        element.attributes['mimeType'] ??
        set.attributes['mimeType'] ??
        '';
      const [type = ''] = kind.split('/');
      if (type !== 'video' && type !== 'audio') return [];
      const place = { element, chain: [mpd, period, set, element], fail: failAt(element) };
      return [readRung(place, type, wholeMs)];
    }),
  );
  if (!rungs.some((rung) => rung.type === 'video')) throw failAt(period)('there is no video');
  return { wholeMs, rungs: rungs.sort((a, b) => a.bitrateBps - b.bitrateBps) };
}
