import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureMedia } from './ensure-media';
import { ladderPackageArgs } from './ladder-commands';
import { checkLadder, frameFor, ladderKey, unitSeconds, videoRungs } from './ladder-plan';
import { durationMs, listRungs } from './mpd-segments';
import { readMpdTree } from './mpd-tree';
import { splitChunks } from '../live/live-film';
import { padChunks, padFile, padLadder, shareOut } from './pad-segments';
import { segmentBytes } from '../../scenario';

const ladder = {
  kind: 'ladder' as const,
  videoBps: [200_000, 400_000],
  audioBps: [64_000],
  segmentMs: 4000,
};

describe('ladders', () => {
  it.each([
    [{ videoBps: [] }, /videoBps: 0 rates/],
    [{ videoBps: [400_000, 200_000] }, /200000 does not ascend/],
    [{ audioBps: [1.5] }, /audioBps: 1.5 is not a rate/],
    [{ segmentMs: 1010 }, /segmentMs: 1010/],
    [{ segmentMs: 60_000 }, /segmentMs: 60000/],
  ])('refuses %j', (change, message) => {
    expect(() => {
      checkLadder({ ...ladder, ...change });
    }).toThrow(message);
  });

  it('may have no audio', () => {
    const silent = { ...ladder, audioBps: [] };
    expect(() => {
      checkLadder(silent);
    }).not.toThrow();
    const args = ladderPackageArgs('clip', silent, ['low', 'high'], 8, 'manifest.mpd');
    expect(args[args.indexOf('-adaptation_sets') + 1]).toBe('id=0,streams=v');
    expect(args.filter((arg) => arg.endsWith(':a:0'))).toEqual([]);
  });

  it('gives larger rates frames at least as large, never above the clip', () => {
    const heights = [145e3, 350e3, 700e3, 1.4e6, 2.75e6, 5.5e6, 27e6].map((rate) => frameFor(rate));
    expect(heights.map(({ height }) => height)).toEqual([180, 234, 288, 432, 540, 720, 720]);
    for (const { width } of heights) expect(width % 2).toBe(0);
  });

  it('repeats whole segments and gives different parameters different names', () => {
    for (const segmentMs of [1000, 2000, 4000, 6000, 15_000]) {
      expect((unitSeconds(segmentMs) * 1000) % segmentMs).toBe(0);
    }
    expect(ladderKey(ladder, 60)).not.toBe(ladderKey({ ...ladder, segmentMs: 2000 }, 60));
    expect(ladderKey(ladder, 60)).not.toBe(ladderKey(ladder, 64));
  });
});

describe('small pictures', () => {
  const small = { ...ladder, pictures: 'small' as const };

  it('have their own frame size and name for every rung and kind', () => {
    const rungs = videoRungs({ ...small, videoBps: Array.from({ length: 20 }, (_, i) => 3e5 + i) });
    expect(new Set(rungs.map(({ height }) => height)).size).toBe(20);
    for (const { width, height } of rungs) expect([width % 2, height % 2]).toEqual([0, 0]);
    const keys = [ladder, small, { ...small, sizes: 'vbr' as const }].map((one) =>
      ladderKey(one, 60),
    );
    expect(new Set(keys).size).toBe(3);
    expect(() => {
      checkLadder({ ...small, segmentMs: 2040 });
    }).toThrow('12 a second');
  });

  it('vary in size around the rate, equally for any length', () => {
    expect(segmentBytes(1e6, 2000, 3)).toEqual([250_000, 250_000, 250_000]);
    const sizes = segmentBytes(1e6, 2000, 60, 'vbr');
    expect(segmentBytes(1e6, 2000, 10, 'vbr')).toEqual(sizes.slice(0, 10));
    const mean = sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length;
    expect(Math.abs(mean - 250_000)).toBeLessThan(2);
    const spread = Math.sqrt(
      sizes.reduce((sum, bytes) => sum + (bytes / mean - 1) ** 2, 0) / sizes.length,
    );
    expect(spread).toBeGreaterThan(0.2);
    expect(spread).toBeLessThan(0.4);
  });

  it('are padded with a box that players skip', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pad-'));
    const file = join(dir, 'a.m4s');
    writeFileSync(file, Buffer.from('\0\0\0\x0cmdatxxxx', 'latin1'));
    await padFile(file, 30);
    expect(readFileSync(file, 'latin1')).toBe(`\0\0\0\x0cmdatxxxx\0\0\0\x12free${'\0'.repeat(10)}`);
    await padFile(file, 30);
    await expect(padFile(file, 34)).rejects.toThrow(/take 30 bytes/);
    await expect(padFile(file, 20)).rejects.toThrow('more than the 20');
    rmSync(dir, { recursive: true });
  });

  it('grow chunk by chunk, each to an equal share of its segment', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pad-'));
    const file = join(dir, 'a.m4s');
    const chunk = (media: string): string =>
      `\0\0\0\x09moofm\0\0\0${String.fromCharCode(8 + media.length)}mdat${media}`;
    writeFileSync(file, Buffer.from(chunk('key frame') + chunk('a') + chunk('b'), 'latin1'));
    await padChunks(file, 80);
    const padded = readFileSync(file);
    expect(padded.length).toBe(80);
    expect(splitChunks(padded).map(({ length }) => length)).toEqual([26, 27, 27]);
    expect(padded.toString('latin1', 0, 26)).toBe(chunk('key frame'));
    expect(shareOut([60, 1, 1], 80)).toEqual([60, 10, 10]);
    await expect(padChunks(file, 79)).rejects.toThrow('more than the 79');
    rmSync(dir, { recursive: true });
  });

  it('match their ladder’s rates in segments and in the MPD; a short last segment has less', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pad-'));
    writeFileSync(
      join(dir, 'x.mpd'),
      TIMELINE.replace('"hi"', '"1"')
        .replace('"lo"', '"0"')
        .replace('r="-1"/>', 'r="1"/><S d="20"/>'),
    );
    mkdirSync(join(dir, 'v'));
    for (const rung of [0, 1]) {
      for (const at of [0, 40, 80]) writeFileSync(join(dir, `v/${rung}-${at}.m4s`), 'x');
    }
    for (const at of [0, 1, 2]) writeFileSync(join(dir, `a-00${at}$.m4s`), 'a');
    await padLadder(join(dir, 'x.mpd'), small);
    const { sizes } = await ensureMedia({ kind: 'folder', dir, mpd: 'x.mpd' });
    expect(sizes.video).toEqual([
      { bitrateBps: 200_000, bytes: [100_000, 100_000, 50_000] },
      { bitrateBps: 400_000, bytes: [200_000, 200_000, 100_000] },
    ]);
    expect(sizes.audio[0]?.bytes).toEqual([1, 1, 1]);
    rmSync(dir, { recursive: true });
  });
});

const TIMELINE = `<MPD mediaPresentationDuration="PT0M10.0S"><Period>
<AdaptationSet mimeType="video/mp4"><BaseURL>v/</BaseURL>
<SegmentTemplate timescale="10" media="$RepresentationID$-$Time$.m4s"><SegmentTimeline><S t="0" d="40" r="-1"/></SegmentTimeline></SegmentTemplate>
<Representation id="hi" bandwidth="2000"/><Representation id="lo" bandwidth="1000"/></AdaptationSet>
<AdaptationSet contentType="audio"><Representation id="a" bandwidth="64">
<SegmentTemplate duration="4" startNumber="0" media="a-$Number%03d$$$.m4s"/></Representation></AdaptationSet>
</Period></MPD>`;

describe('listRungs', () => {
  it('reads timelines with an open end, inherited templates, numbers and base URLs', () => {
    const { wholeMs, rungs } = listRungs(readMpdTree(TIMELINE, 'x.mpd'), 'x.mpd');
    expect(wholeMs).toBe(10_000);
    expect(rungs.find((rung) => rung.type === 'audio')?.files).toEqual([
      'a-000$.m4s',
      'a-001$.m4s',
      'a-002$.m4s',
    ]);
    expect(rungs.filter((rung) => rung.type === 'video').map((rung) => rung.files)).toEqual([
      ['v/lo-0.m4s', 'v/lo-40.m4s', 'v/lo-80.m4s'],
      ['v/hi-0.m4s', 'v/hi-40.m4s', 'v/hi-80.m4s'],
    ]);
  });

  it.each([
    ['<MPD', /x\.mpd:1: Un/],
    ['<html/>', /begins with html/],
    ['<MPD/>', /0 periods/],
    ['<MPD><Period/></MPD>', /mediaPresentationDuration/],
    ['<MPD mediaPresentationDuration="PT9S"><Period/></MPD>', /no video/],
    ['<MPD type="dynamic"><Period/></MPD>', /live stream/],
    [TIMELINE.replace('v/<', 'https://elsewhere/<'), /leads out of the folder/],
    [TIMELINE.replace('d="40"', ''), /no d/],
    [TIMELINE.replace('d="40"', 'd="1e400"'), /no d/],
    [TIMELINE.replace('timescale="10"', 'timescale="0"'), /timescale/],
    [TIMELINE.replace('d="40"', 'd="40" r="999999999999"'), /at most 86400/],
    [TIMELINE.replace(' bandwidth="64"', ''), /x\.mpd:5: Representation has no bandwidth/],
  ])('refuses %s', (text, message) => {
    expect(() => listRungs(readMpdTree(text, 'x.mpd'), 'x.mpd')).toThrow(message);
  });

  it('reads ISO durations', () => {
    expect(durationMs('PT1H2M3.5S')).toBe(3_723_500);
    expect(durationMs('P1DT1S')).toBe(86_401_000);
    expect(durationMs('tomorrow')).toBeUndefined();
  });
});

describe('a folder of media', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'media-'));
    mkdirSync(join(dir, 'v'));
    writeFileSync(join(dir, 'x.mpd'), TIMELINE);
    for (const number of [0, 1, 2]) {
      writeFileSync(join(dir, `a-00${number}$.m4s`), 'a');
      writeFileSync(join(dir, `v/lo-${number * 40}.m4s`), 'lo'.repeat(number + 1));
      writeFileSync(join(dir, `v/hi-${number * 40}.m4s`), 'high'.repeat(number + 1));
    }
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('is measured segment by segment', async () => {
    const media = await ensureMedia({ kind: 'folder', dir, mpd: 'x.mpd' });
    expect(media).toMatchObject({ mpd: 'x.mpd', durationMs: 10_000 });
    expect(media.sizes).toEqual({
      segmentMs: 4000,
      video: [
        { bitrateBps: 1000, bytes: [2, 4, 6] },
        { bitrateBps: 2000, bytes: [4, 8, 12] },
      ],
      audio: [{ bitrateBps: 64, bytes: [1, 1, 1] }],
    });
  });

  it('is refused if a segment, the MPD or the folder is missing or lies outside', async () => {
    const folder = { kind: 'folder' as const, dir, mpd: 'x.mpd' };
    rmSync(join(dir, 'v/hi-40.m4s'));
    await expect(ensureMedia(folder)).rejects.toThrow(/v\/hi-40\.m4s is not there/);
    await expect(ensureMedia({ ...folder, mpd: 'y.mpd' })).rejects.toThrow(/no MPD/);
    await expect(ensureMedia({ ...folder, mpd: '../x.mpd' })).rejects.toThrow(/not inside/);
    await expect(ensureMedia({ ...folder, dir: `${dir}/no` })).rejects.toThrow(/no media folder/);
    writeFileSync(join(dir, 'x.mpd'), TIMELINE.replace('>v/<', '>../v/<'));
    await expect(ensureMedia(folder)).rejects.toThrow(/is not inside/);
  });
});
