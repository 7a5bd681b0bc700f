/** The feed could not be opened. `message` gives the reason and the remedy. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}
