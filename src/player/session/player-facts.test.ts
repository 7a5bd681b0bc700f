import { expect, it } from 'vitest';
import { factsAfterMessage, factsAfterRung, initialFacts, type PlayerFacts } from './player-facts';

it('shows the end of the feed as its status', () => {
  const facts = factsAfterMessage(initialFacts, { type: 'closed', reason: 'The agent ended.' });
  expect(facts.status).toEqual({ state: 'no-feed', reason: 'The agent ended.' });
});

it('shows decisions about the video only', () => {
  const video = { mediaType: 'video', reason: 'enough', toRung: 2 } as const;
  const facts: PlayerFacts = factsAfterRung(initialFacts, video);
  expect(factsAfterRung(facts, { ...video, mediaType: 'audio', toRung: 0 }).lastDecision).toEqual({
    reason: 'enough',
    toRung: 2,
  });
});
