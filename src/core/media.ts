/** Media from the adaptation's view. */

export type MediaType = 'video' | 'audio';
export const MEDIA_TYPES = ['video', 'audio'] as const satisfies readonly MediaType[];

/** One representation of a ladder; rungs are sorted by `bitrateBps`, index 0 is the lowest. */
export interface Rung {
  index: number;
  /** Representation@id. */
  representationId: string;
  bitrateBps: number;
  width?: number | undefined;
  height?: number | undefined;
  codecs?: string | undefined;
}

export interface Ladder {
  mediaType: MediaType;
  rungs: Rung[];
}
