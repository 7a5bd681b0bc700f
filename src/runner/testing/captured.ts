import { vi } from 'vitest';

/** Output of a command since `capture`. */
export interface Captured {
  stdout: string;
  stderr: string;
}

/** Keeps what is written from the terminal, until mocks are restored. */
export function capture(): Captured {
  const captured = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      captured[name] += String(text);
      return true;
    });
  }
  return captured;
}
