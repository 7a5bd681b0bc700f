import {
  buildNetwork,
  ensureMedia,
  pathTopology,
  startMediaServer,
  type MediaServer,
  type PathSpec,
  type PreparedMedia,
  type PreparedMediaOptions,
} from '../../lab';
import type { SoakAction } from './actions';

/** Slow links: they take little of the processor, and two together carry the top rung. */
export const SOAK_PATHS: readonly PathSpec[] = [
  { rateBps: 2_000_000, delayMs: 10, lossRatio: 0, queueBytes: 60_000 },
  { rateBps: 1_200_000, delayMs: 40, lossRatio: 0.002, queueBytes: 60_000 },
];
/** Share of its rate that a faded path keeps; walks with a phone have 5 % of the mean. */
const FADED_SHARE = 0.05;
/** Length of the film; the viewer seeks back before it ends. Chosen; no measurement. */
const FILM_SECONDS = 600;
const PORT = 8080;

/** A film of small pictures, padded to the sizes of real ones: decoding it takes little of the processor. */
export const soakFilm = (options: PreparedMediaOptions = {}): Promise<PreparedMedia> =>
  ensureMedia(
    {
      kind: 'ladder',
      videoBps: [150_000, 400_000, 900_000, 1_800_000],
      audioBps: [48_000],
      segmentMs: 2_000,
      pictures: 'small',
      sizes: 'vbr',
    },
    { ...options, seconds: FILM_SECONDS },
  );

export interface SoakNetwork {
  url: string;
  server: MediaServer;
  /** Begins an action on the network. The returned function ends it. */
  begin(action: SoakAction): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Two paths to a server with the film, inside the sandbox. @throws LabError */
export async function openSoakNetwork(
  film: PreparedMedia,
  seed: number,
  onFailure: (error: unknown) => void,
): Promise<SoakNetwork> {
  const lab = await buildNetwork(pathTopology(SOAK_PATHS), { seed, onFailure });
  const ids = SOAK_PATHS.map((_, index) => `path${index + 1}`);
  try {
    const server = await startMediaServer({
      ...lab.server,
      root: film.dir,
      port: PORT,
      onFailure,
    });
    const setState = async (index: number, state: 'up' | 'down' | 'blackhole'): Promise<void> => {
      const link = ids[index];
      if (link !== undefined) await lab.apply({ kind: 'link-state', link, state, atMs: 0 });
    };
    const setRate = async (index: number, share: number): Promise<void> => {
      const link = ids[index];
      const rateBps = (SOAK_PATHS[index]?.rateBps ?? 0) * share;
      if (link === undefined) return;
      const change = { ab: { rateBps }, ba: { rateBps } };
      await lab.apply({ kind: 'link-change', link, ...change, atMs: 0 });
    };
    const setAll = async (state: 'up' | 'blackhole'): Promise<void> => {
      for (const index of ids.keys()) await setState(index, state);
    };
    return {
      url: `${server.url}/${film.mpd}`,
      server,
      async begin(action) {
        switch (action.kind) {
          case 'flap':
          case 'blackhole':
            await setState(action.path, action.kind === 'flap' ? 'down' : 'blackhole');
            return () => setState(action.path, 'up');
          case 'fade':
            await setRate(action.path, FADED_SHARE);
            return () => setRate(action.path, 1);
          case 'blackout':
            await setAll('blackhole');
            return () => setAll('up');
          default:
            return () => Promise.resolve();
        }
      },
      async close() {
        await server.stop();
        await lab.close();
      },
    };
  } catch (error) {
    await lab.close();
    throw error;
  }
}
