import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { LiveSpec } from '../../scenario';
import { answerLive } from './live-answer';
import type { LiveFilm } from './live-film';
import { liveManifest } from './live-manifest';

export interface LiveOriginOptions {
  folder: string;
  /** File name of the whole film's MPD, in the folder. */
  mpd: string;
  segmentMs: number;
  live: LiveSpec;
}

/** The film that a server broadcasts. */
export interface LiveOrigin {
  /** Restarts the film, so that all players see the same part of it. */
  restart(): void;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Length of the film when a player joins. */
const WRITTEN_MS = 10_000;

/** Broadcasts a prepared film from its start, at the pace of an encoder. `/time` is its clock. */
export async function createLiveOrigin(options: LiveOriginOptions): Promise<LiveOrigin> {
  const { folder, mpd, segmentMs, live } = options;
  const written = await readFile(path.join(folder, mpd), 'utf8');
  const begin = (): LiveFilm => ({
    folder,
    segmentMs,
    chunkMs: live.chunkMs,
    startedAtMs: Date.now() - WRITTEN_MS,
  });
  let film = begin();
  return {
    restart: () => {
      film = begin();
    },
    answer: async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/time') return void response.end(new Date().toISOString());
      if (pathname !== `/${mpd}`) return answerLive(film, pathname, request, response);
      const isTls = 'encrypted' in request.socket;
      const timeUrl = `${isTls ? 'https' : 'http'}://${request.headers.host ?? ''}/time`;
      response.setHeader('Content-Type', 'application/dash+xml');
      response.end(liveManifest({ film, mpd: written, latencyMs: live.latencyMs, timeUrl }));
    },
  };
}
