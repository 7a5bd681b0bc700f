/** Linear QoE of a session beside that of a clairvoyant player on the same links, media and number of segments. */
export interface SharedOptimum {
  segments: number;
  /** Mbit/s summed over segments, as `linearQoe.total`; of the player over these segments. */
  playerQoe: number;
  /** Upper bound over all paths together. */
  allPathsQoe: number;
  /** The same for each path alone. */
  singlePathQoe: Readonly<Record<string, number>>;
  /** `playerQoe / allPathsQoe`; null unless the optimum is above 0. Negative where the player's QoE is. */
  share: number | null;
  /** `playerQoe` over the best single path's. */
  shareOfBestSingle: number | null;
}
