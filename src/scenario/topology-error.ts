/** Where something stands in the topology's options: `['links', 2, 'a']`. */
export type FieldPath = readonly (string | number)[];

/** `links[2].a` */
export function fieldName(path: FieldPath): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${String(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** A network that cannot be: what is wrong and in which field of the options it was written. */
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
