import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Viewer, type Watched } from '../../experiments';
import type { MediaSizes } from '../../scenario';
import { answer, checkInside } from '../kernel-jobs';

/** The task of a viewer's process. */
export interface FilmRequest {
  /** A file that is as long as the largest segment: a segment is its beginning. */
  url: string;
  /** Address of the first subflow. */
  localAddress: string;
  film: MediaSizes;
}

/** Loads the first bytes of the file. @throws Error if the server gives anything else */
async function load(request: FilmRequest, agent: Agent, bytes: number): Promise<void> {
  const { url, localAddress } = request;
  const headers = { Range: `bytes=0-${bytes - 1}` };
  await new Promise<void>((resolve, reject) => {
    const sent = get(url, { agent, localAddress, headers }, (response) => {
      let received = 0;
      response.on('data', (data: Buffer) => (received += data.length));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 206 && received === bytes) resolve();
        else reject(new Error(`${received} of ${bytes} bytes, status ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
  });
}

/** Watches a film without pictures over one connection, in real time. */
async function watchFilm(request: FilmRequest): Promise<Watched> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const viewer = new Viewer(request.film);
  for (;;) {
    const next = viewer.next(performance.now());
    if (next === undefined) break;
    await sleep(Math.max(0, next.atMs - performance.now()));
    const startMs = performance.now();
    await load(request, agent, next.bytes);
    viewer.arrived(next.bytes, startMs, performance.now());
  }
  agent.destroy();
  return viewer.outcome();
}

/** `experiment genetic-viewer REQUEST`: a client of a run, in its own namespace. Prints what it watched. */
export async function watchInside(text: string): Promise<void> {
  checkInside('genetic');
  await answer(await watchFilm(JSON.parse(text) as FilmRequest));
}
