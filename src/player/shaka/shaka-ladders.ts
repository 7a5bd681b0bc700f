import type { Ladder, MediaType } from '../../core';

/** One of Shaka's variants: a pair of a video and an audio representation. */
export interface ShakaVariant {
  videoId: number | null;
  originalVideoId: string | null;
  videoBandwidth: number | null;
  videoCodec: string | null;
  width: number | null;
  height: number | null;
  audioId: number | null;
  originalAudioId: string | null;
  audioBandwidth: number | null;
  audioCodec: string | null;
}

interface Representation {
  id: string;
  bitrateBps: number;
  codecs: string | null;
  width?: number | null;
  height?: number | null;
}

/** The stream's ladders, split again from the variants that Shaka combines. */
export function laddersOf(variants: readonly ShakaVariant[]): Ladder[] {
  const video = variants
    .filter((one) => one.videoId !== null)
    .map((one) => ({
      id: one.originalVideoId ?? String(one.videoId),
      bitrateBps: one.videoBandwidth ?? 0,
      codecs: one.videoCodec,
      width: one.width,
      height: one.height,
    }));
  const audio = variants
    .filter((one) => one.audioId !== null)
    .map((one) => ({
      id: one.originalAudioId ?? String(one.audioId),
      bitrateBps: one.audioBandwidth ?? 0,
      codecs: one.audioCodec,
    }));
  return [...ladder('video', video), ...ladder('audio', audio)];
}

function ladder(mediaType: MediaType, all: readonly Representation[]): Ladder[] {
  const unique = [...new Map(all.map((one) => [one.id, one])).values()];
  if (unique.length === 0) return [];
  const rungs = unique
    .sort((a, b) => a.bitrateBps - b.bitrateBps)
    .map(({ id, bitrateBps, codecs, width, height }, index) => ({
      index,
      representationId: id,
      bitrateBps,
      ...(width ? { width } : {}),
      ...(height ? { height } : {}),
      ...(codecs ? { codecs } : {}),
    }));
  return [{ mediaType, rungs }];
}
