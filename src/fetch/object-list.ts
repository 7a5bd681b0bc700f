import { compareByNeed, type ObjectId } from '../chunks';
import type { FetchObject } from './fetch-object';

/** Number of objects fetched at a time; the rest of a burst waits. */
const MAX_OBJECTS = 32;

/** The objects of a driver, in the order in which they are needed. */
export class ObjectList {
  readonly #active: FetchObject[] = [];
  readonly #waiting: FetchObject[] = [];

  /** The objects to fetch now. */
  get active(): readonly FetchObject[] {
    return [...this.#active].sort(compareByNeed);
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
