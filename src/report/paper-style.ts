/** Additional style of pages beside a paper. */
export const PAPER_STYLE = `
.scroll { max-height: none; }
svg .band { fill: var(--player); fill-opacity: 0.13; }
.claims td, .claims td.number { white-space: normal; text-align: left; }
.claims td:first-child, .claims td:last-child { white-space: nowrap; }
.claims td:last-child { font-weight: 600; }
`;
