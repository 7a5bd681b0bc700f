/** Linear QoE of a session beside that of a clairvoyant player on the same links, media and number of segments. */
export interface SharedOptimum {
  segments: number;
  /** Mbit/s summed over the segments, as `linearQoe.total`. */
  playerQoe: number;
  /** Upper bound over all paths together; null where not even that could have shown them all. */
  allPathsQoe: number | null;
  /** The same for each path alone. */
  singlePathQoe: Readonly<Record<string, number | null>>;
  /**
   * `playerQoe / allPathsQoe`, where the optimum is above 0, else null. Above 0 it reads as a share; below 0 the
   * player's QoE is negative, and only its sign and the two numbers mean something.
   */
  share: number | null;
  /** `playerQoe` over the best single path's, by the same rule. Above 1: more than any path alone could have given. */
  shareOfBestSingle: number | null;
  /** There was background traffic, which the bound does not subtract: nobody could have had it all. */
  ignoresTraffic: boolean;
}
