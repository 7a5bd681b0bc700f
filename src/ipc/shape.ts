import { limits } from './limits';

/**
 * Why a value is not even looked at: checking or writing it would need more stack or time than a message is worth.
 * JSON nests as deep as it likes, and Electron's IPC also brings circles and shared parts.
 */
export function shapeProblem(input: unknown): string | undefined {
  // No recursion here: this is what keeps the others from running out of stack.
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
