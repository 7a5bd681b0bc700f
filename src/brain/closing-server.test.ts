import { describe, expect, test } from 'vitest';
import type { FluidClient } from '../estimate/testing/fluid-link';
import { SEGMENT, twoPaths } from '../estimate/testing/two-paths';
import { followHealth, healthOf, type Outstanding, type PathHealth } from './path-health';

/** A client whose health is followed with each sample. */
class Followed {
  readonly client: FluidClient = twoPaths();
  /** Every health that a path had. */
  readonly seen = new Set<string>();
  #known: PathHealth[] = [];

  follow(outstanding: Outstanding): void {
    const { state, nowMs } = this.client;
    this.#known = followHealth(this.#known, state, nowMs, outstanding);
    for (const { id } of this.client.paths) this.seen.add(healthOf(this.#known, id));
  }

  idle(ms: number): void {
    for (let i = 0; i < ms / 100; i += 1) {
      this.client.idle(100);
      this.follow('none');
    }
  }

  fetch(): void {
    this.client.download(SEGMENT);
    this.follow('answered');
  }

  /** The server ends the connection: its subflows close, and then are gone. */
  end(goneMs: number): void {
    for (const path of this.client.paths) path.state = 'closed';
    this.idle(200);
    for (const path of this.client.paths) path.gone = true;
    this.idle(goneMs);
  }

  /** The next request opens a connection. */
  reopen(): void {
    for (const path of this.client.paths) {
      path.gone = false;
      path.state = 'connecting';
    }
    this.client.idle(100);
    this.follow('unanswered');
    for (const path of this.client.paths) path.state = 'active';
  }
}

describe('a server that closes connections is no dead path', () => {
  test('after each answer: `Connection: close`, `keepalive_timeout 0`', () => {
    const followed = new Followed();
    for (let i = 0; i < 10; i += 1) {
      followed.fetch();
      followed.end(300);
      followed.reopen();
    }
    expect([...followed.seen]).toEqual(['healthy']);
  });

  test('after a time in which nothing was requested', () => {
    const followed = new Followed();
    for (let i = 0; i < 3; i += 1) {
      followed.fetch();
      followed.idle(5000);
      followed.end(10_000);
      followed.reopen();
    }
    followed.fetch();
    expect([...followed.seen]).toEqual(['healthy']);
  });

  test('but a path whose interface goes is out', () => {
    const followed = new Followed();
    followed.fetch();
    followed.client.event({ kind: 'interface-down', interfaceName: 'lte' });
    followed.end(300);
    expect([...followed.seen]).toEqual(['healthy', 'out']);
  });
});
