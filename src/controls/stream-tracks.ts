import type { DashSettings, MultipathPlayer } from '../sdk';
import { languageName } from './language-name';
import { chaptersOf, type Chapter, type PeriodEvent } from './stream-chapters';

/** One quality of the stream. The field names are the library's. */
export interface Quality {
  id: string;
  width: number;
  height: number;
  bitrate: number;
  /** The networks carry it by the present forecast. */
  carried: boolean;
}

export interface AudioTrack {
  id: string;
  kind: string;
  label: string;
  language: string;
  enabled: boolean;
}

export interface TextTrack {
  kind: 'subtitles' | 'captions';
  label: string;
  language: string;
}

type Dash = MultipathPlayer['dash'];
/** The used part of dash.js's stream information. In dash.js a stream is a period. */
interface StreamInfo {
  start: number;
  duration: number;
}
type DashTrack = ReturnType<Dash['getTracksFor']>[number];

/** dash.js's events after which the choice may differ. */
const CHANGES = [
  'streamInitialized',
  'periodSwitchCompleted',
  'trackChangeRendered',
  'allTextTracksAdded',
] as const;

/** A forecast that is little more than a guess marks nothing. Chosen; no measurement. */
const KNOWN_CONFIDENCE = 0.1;

/** The qualities, audio tracks and subtitles of one player, and the viewer's choice among them. */
export class StreamTracks {
  readonly #player: MultipathPlayer;
  readonly #onChange: () => void;
  /** Bit rate of the chosen quality; undefined while the player chooses. */
  #pinnedBps: number | undefined;
  #chapters: readonly Chapter[] = [];

  /** @param onChange called when a list or a choice differs */
  constructor(player: MultipathPlayer, onChange: () => void) {
    this.#player = player;
    this.#onChange = onChange;
    for (const name of CHANGES) player.dash.on(name, this.#changed);
  }

  qualities(): Quality[] {
    const { ladders, forecast } = this.#player.snapshot();
    const rungs = ladders.find(({ mediaType }) => mediaType === 'video')?.rungs ?? [];
    const known = forecast !== undefined && forecast.confidence >= KNOWN_CONFIDENCE;
    return rungs.map(({ representationId, width = 0, height = 0, bitrateBps }) => ({
      id: representationId,
      width,
      height,
      bitrate: bitrateBps,
      carried: !known || bitrateBps <= forecast.rateBps,
    }));
  }

  /** Id of the quality that the viewer chose; undefined while the player chooses. */
  chosenQuality(): string | undefined {
    return this.#nearest()?.id;
  }

  /** @param id undefined or unknown gives the choice back to the player */
  chooseQuality(id: string | undefined): void {
    this.#pinnedBps = this.qualities().find((one) => one.id === id)?.bitrate;
    this.#applyQuality();
    this.#onChange();
  }

  audioTracks(): AudioTrack[] {
    const all = this.#audio();
    const current = all.length === 0 ? null : this.#player.dash.getCurrentTrackFor('audio');
    return all.map((track, index) => ({
      id: String(index),
      kind: track.roles?.[0]?.value ?? 'main',
      label: trackLabel(track, index),
      language: track.lang ?? '',
      enabled: track.index === current?.index,
    }));
  }

  chooseAudio(id: string): void {
    const track = this.#audio()[Number(id)];
    if (track) this.#player.dash.setCurrentTrack(track);
    this.#onChange();
  }

  textTracks(): TextTrack[] {
    return this.#text().map((track, index) => ({
      kind: track.roles?.some(({ value }) => value === 'caption') ? 'captions' : 'subtitles',
      label: trackLabel(track, index),
      language: track.lang ?? '',
    }));
  }

  /** Index into `textTracks`; -1 for none. */
  shownText(): number {
    return this.#text().length === 0 ? -1 : this.#player.dash.getCurrentTextTrackIndex();
  }

  showText(index: number): void {
    const { dash } = this.#player;
    if (index >= 0) dash.enableText(true);
    dash.setTextTrack(index);
    this.#onChange();
  }

  /** Chapters of the whole manifest. A stream's list stays the same object, so that the seek bar is not drawn again. */
  chapters(): readonly Chapter[] {
    return this.#chapters;
  }

  /** Stops listening to dash.js. */
  stop(): void {
    for (const name of CHANGES) this.#player.dash.off(name, this.#changed);
  }

  readonly #changed = (): void => {
    this.#chapters = this.#ready() ? this.#readChapters() : [];
    // A new period has rungs of its own.
    if (this.#pinnedBps !== undefined) this.#applyQuality();
    this.#onChange();
  };

  #readChapters(): Chapter[] {
    const { dash } = this.#player;
    const adapter = dash.getDashAdapter();
    const periods = adapter.getStreamsInfo(dash.getManifest(), Infinity) as StreamInfo[];
    // Only an event of a segment needs a representation.
    const events = periods.flatMap((period) => adapter.getEventsFor(period, {}));
    // The player's own duration comes later. A live stream's last period has none.
    const end = Math.max(...periods.map(({ start, duration }) => start + duration));
    return chaptersOf(events as unknown as PeriodEvent[], end);
  }

  #applyQuality(): void {
    const { dash } = this.#player;
    const quality = this.#nearest();
    const settings: DashSettings = {
      streaming: { abr: { autoSwitchBitrate: { video: quality === undefined } } },
    };
    dash.updateSettings(settings);
    // The viewer sees the choice at once, not after what is buffered.
    if (quality) dash.setRepresentationForTypeById('video', quality.id, true);
  }

  #nearest(): Quality | undefined {
    const wanted = this.#pinnedBps;
    if (wanted === undefined) return undefined;
    const distance = ({ bitrate }: Quality): number => Math.abs(bitrate - wanted);
    return this.qualities().sort((a, b) => distance(a) - distance(b))[0];
  }

  #audio(): DashTrack[] {
    return this.#ready() ? this.#player.dash.getTracksFor('audio') : [];
  }

  #text(): DashTrack[] {
    return this.#ready() ? this.#player.dash.getTracksFor('text') : [];
  }

  /** dash.js throws before its first period. */
  #ready(): boolean {
    return this.#player.dash.isReady() && this.#player.dash.getActiveStream() !== null;
  }
}

function trackLabel(track: DashTrack, index: number): string {
  const named = track.labels.find(({ text }) => text)?.text;
  if (named !== undefined) return named;
  const role = track.roles?.[0]?.value;
  const name = track.lang ? languageName(track.lang) : `Track ${index + 1}`;
  return role === undefined || role === 'main' || role === 'subtitle' ? name : `${name} (${role})`;
}
