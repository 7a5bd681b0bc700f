/** Tag of the variants of what `npm test` plays; `npm test -- --profile nightly` plays them too. */
export const nightly = { tag: '@nightly' };
