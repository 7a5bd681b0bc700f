/** Linear QoE of a session beside that of a clairvoyant player on the same links, media and number of segments. */
export interface SharedOptimum {
  segments: number;
  /** Mbit/s summed over the segments, as `linearQoe.total`. */
  playerQoe: number;
  /** Upper bound over all paths together; null if even that could not have shown them all. */
  allPathsQoe: number | null;
  /** The same for each path alone. */
  singlePathQoe: Readonly<Record<string, number | null>>;
  /**
   * `playerQoe / allPathsQoe` if the optimum is above 0, else null. Above 0 it is a share. Below 0 the
   * player's QoE is negative: only its sign and the two values are meaningful.
   */
  share: number | null;
  /** `playerQoe` over the best single path's, by the same rule. Above 1: more than any path alone allows. */
  shareOfBestSingle: number | null;
  /** There was background traffic, which the bound does not subtract, so the bound is unattainable. */
  ignoresTraffic: boolean;
}
