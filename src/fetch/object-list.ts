import type { ObjectId } from '../chunks';
import type { FetchObject } from './fetch-object';

/** Number of objects fetched at a time; the rest of a burst waits. */
const MAX_OBJECTS = 32;

/**
 * A small object is fetched before a larger one that is needed this much earlier. The larger one waits for
 * moments, while the audio of a segment would wait for seconds behind its video. Lab, `trace-2` to `trace-4`: audio
 * requests take 0.1 s on average, 1.0 s without this rule. Chosen.
 */
const SMALL_LEAD_MS = 1000;

/** The objects of a driver, in the order in which they are needed. */
export class ObjectList {
  readonly #active: FetchObject[] = [];
  readonly #waiting: FetchObject[] = [];

  /**
   * The objects to fetch now. Those with a reader precede announced ones; then the earlier deadline goes first. So
   * a segment of audio does not wait for video that was requested just before it.
   */
  get active(): readonly FetchObject[] {
    const rank = ({ isRead }: FetchObject): number => (isRead ? 0 : 1);
    // The deadline of a manifest is unknown, and all other objects wait for it.
    const neededMs = ({ neededAtMs = 0, isSmall }: FetchObject): number =>
      neededAtMs - (isSmall ? SMALL_LEAD_MS : 0);
    return [...this.#active].sort((a, b) => rank(a) - rank(b) || neededMs(a) - neededMs(b));
  }

  get length(): number {
    return this.#active.length;
  }

  /** One that is fetched now. */
  find(objectId: ObjectId): FetchObject | undefined {
    return this.#active.find(({ id }) => id === objectId);
  }

  has(object: FetchObject): boolean {
    return this.#active.includes(object) || this.#waiting.includes(object);
  }

  add(object: FetchObject): void {
    (this.#active.length < MAX_OBJECTS ? this.#active : this.#waiting).push(object);
  }

  /** False if it was not in the list. */
  remove(object: FetchObject): boolean {
    const list = this.#active.includes(object) ? this.#active : this.#waiting;
    const index = list.indexOf(object);
    if (index === -1) return false;
    list.splice(index, 1);
    const next = this.#active.length < MAX_OBJECTS ? this.#waiting.shift() : undefined;
    if (next) this.#active.push(next);
    return true;
  }

  /** Removes and returns all of them. */
  clear(): FetchObject[] {
    return [...this.#active.splice(0), ...this.#waiting.splice(0)];
  }
}
