import { keepNewest } from '../core';
import { withoutCmcd } from '../ipc';
import type { Clock } from '../ports';
import type { ObjectRequest, ObjectSink } from './fetch-object';
import type { RangeDriver } from './range-driver';
import type { AnnouncedObject, ObjectHandle } from './range-driver-options';

/** Twice the streams of one page: video, audio and text. */
const MAX_STREAMS = 6;
/** An announced segment that is not requested within this time is dropped: the player left or was closed. */
const UNREAD_MS = 30_000;
/** Request headers that may change a server's answer. */
const CREDENTIALS = ['authorization', 'cookie'];

interface Announced {
  object: AnnouncedObject;
  forget: () => void;
}

/** The announced next requests of streams. At most one object a stream is fetched ahead. */
export class Announcements {
  readonly #driver: Pick<RangeDriver, 'announce'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #byStream = new Map<string, Announced>();
  /** The newest request of each stream's reader. */
  readonly #read = new Map<string, ObjectRequest>();

  constructor(driver: Pick<RangeDriver, 'announce'>, clock: Pick<Clock, 'after'>) {
    this.#driver = driver;
    this.#clock = clock;
  }

  announce(request: ObjectRequest & { stream: string }): void {
    const { stream } = request;
    const known = this.#byStream.get(stream);
    if (known && isSame(known.object.request, request)) return;
    // Two connections: the announcement may come after the request that it announces.
    const read = this.#read.get(stream);
    if (read && isSame(read, request)) return;
    this.#drop(stream);
    const [oldest] = this.#byStream.keys();
    if (this.#byStream.size >= MAX_STREAMS && oldest !== undefined) this.#drop(oldest);
    const object = this.#driver.announce(request);
    const forget = this.#clock.after(UNREAD_MS, () => this.#drop(stream));
    this.#byStream.set(stream, { object, forget });
  }

  /** Returns the object fetched ahead for a request; undefined if it was not announced or failed. */
  read(request: ObjectRequest, sink: ObjectSink): ObjectHandle | undefined {
    const { stream = '' } = request;
    keepNewest(this.#read, stream, request, MAX_STREAMS);
    const known = this.#byStream.get(stream);
    if (!known) return undefined;
    if (!isSame(known.object.request, request)) {
      // The reader cancelled before the object was here.
      this.#drop(stream);
      return undefined;
    }
    known.forget();
    this.#byStream.delete(stream);
    return known.object.read(sink, request.neededAtMs);
  }

  close(): void {
    for (const stream of [...this.#byStream.keys()]) this.#drop(stream);
  }

  #drop(stream: string): void {
    const known = this.#byStream.get(stream);
    if (!known) return;
    known.forget();
    this.#byStream.delete(stream);
    known.object.drop();
  }
}

/** True for the same object, whatever CMCD the requests carry. */
function isSame(a: ObjectRequest, b: ObjectRequest): boolean {
  return (
    withoutCmcd(a.url.href) === withoutCmcd(b.url.href) &&
    a.range?.start === b.range?.start &&
    a.range?.end === b.range?.end &&
    a.range?.validator === b.range?.validator &&
    CREDENTIALS.every((name) => a.headers[name] === b.headers[name])
  );
}
