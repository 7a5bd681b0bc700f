/** A place in the topology's options: `['links', 2, 'a']`. */
export type FieldPath = readonly (string | number)[];

/** `links[2].a` */
export function fieldName(path: FieldPath): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** An impossible network: the problem, and the field of the options that has it. */
export class TopologyError extends Error {
  readonly path: FieldPath;
  /** The message without the field. */
  readonly reason: string;

  constructor(path: FieldPath, reason: string) {
    super(`${fieldName(path)}: ${reason}`);
    this.name = 'TopologyError';
    this.path = path;
    this.reason = reason;
  }
}
