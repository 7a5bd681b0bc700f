/** A name of a node, link, path or player: 1 to 15 of a-z, 0-9, `-`; links name interfaces. */
export type Name = string;
