import { limits } from './limits';

/**
 * The reason to refuse a value before its check. Checking or writing it would need more stack or time than a
 * message justifies. JSON has no limit of depth, and Electron's IPC also passes circles and shared parts.
 */
export function shapeProblem(input: unknown): string | undefined {
  // Iterative: it protects the recursive checks from a stack overflow.
  const level: unknown[] = [input];
  let next: unknown[] = [];
  let values = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    for (const value of level.splice(0)) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth >= limits.depth) return `nested deeper than ${limits.depth}`;
      const children: unknown[] = Object.values(value);
      values += children.length;
      if (values > limits.values) return `more than ${limits.values} values`;
      for (const child of children) next.push(child);
    }
    for (const child of next) level.push(child);
    next = [];
  }
  return undefined;
}
