// Fetches segments one after the other, as a player does, and announces the next one by the player's rule.
import { NextDue } from '../../../src/core';
import type { Carrier } from './carriers';
import { SEGMENT_BYTES } from './network';

export interface PlayOptions {
  carrier: Carrier;
  url: string;
  seconds: number;
  /** Default {@link SEGMENT_BYTES}. */
  segmentBytes?: number;
  /** Called with every piece in order. */
  onBytes?: (bytes: number, atMs: number) => void;
}

export interface Played {
  goodputBps: number;
  /** Bytes that arrived twice, and those of objects that nobody requested. */
  wastedShare: number;
  longestGapMs: number;
  cpuShare: number;
}

export async function play(options: PlayOptions): Promise<Played> {
  const { carrier, url, seconds, segmentBytes = SEGMENT_BYTES, onBytes } = options;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const cpu = process.cpuUsage();
  let bytes = 0;
  let lastMs = startMs;
  let longestGapMs = 0;
  const count = (more: number): void => {
    const nowMs = performance.now();
    if (nowMs > endMs) return;
    bytes += more;
    longestGapMs = Math.max(longestGapMs, nowMs - lastMs);
    lastMs = nowMs;
    onBytes?.(more, nowMs - startMs);
  };
  const stream = new NextDue();
  const over = new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  for (let number = 1; performance.now() < endMs; number += 1) {
    let ownBytes = 0;
    let isAnnounced = false;
    const fetched = carrier.fetch(`${url}?${number}`, (more) => {
      ownBytes += more;
      count(more);
      const progress = { loadedBytes: ownBytes, totalBytes: segmentBytes, atMs: performance.now() };
      if (isAnnounced || !stream.isDue(number, progress)) return;
      isAnnounced = true;
      carrier.announce?.(`${url}?${number + 1}`);
    });
    await Promise.race([fetched, over]);
  }
  const used = process.cpuUsage(cpu);
  return {
    goodputBps: (bytes * 8) / seconds,
    wastedShare: carrier.wastedBytes() / Math.max(1, carrier.receivedBytes()),
    longestGapMs: Math.max(longestGapMs, endMs - lastMs),
    cpuShare: (used.user + used.system) / 1e6 / seconds,
  };
}
