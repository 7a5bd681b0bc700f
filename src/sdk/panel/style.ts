/**
 * The panel's style, adopted into its shadow root. It needs no style sheet file, styles neither leak out nor
 * in, and a Content-Security-Policy without inline styles holds. An embedder can set colours through --mpd-*.
 */
export const PANEL_CSS = `
:host {
  --ink: var(--mpd-ink, #16202c);
  --dim: var(--mpd-dim, #5b6a7a);
  --ground: var(--mpd-ground, #ffffff);
  --raised: var(--mpd-raised, #f2f5f9);
  --line: var(--mpd-line, #dbe2ea);
  --good: #12805c;
  --warn-ink: #7a4b00;
  --warn-ground: #fff3d6;
  --bad-ink: #98171c;
  --bad-ground: #fde7e7;
  --path-0: #2563c9;
  --path-1: #c2570c;
  --path-2: #12805c;
  --path-3: #8a3fc0;
  display: block;
  color: var(--ink);
  background: var(--ground);
  font: 13px/1.4 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums;
}
@media (prefers-color-scheme: dark) {
  :host {
    --ink: var(--mpd-ink, #e6edf5);
    --dim: var(--mpd-dim, #93a3b5);
    --ground: var(--mpd-ground, #10161d);
    --raised: var(--mpd-raised, #1a232d);
    --line: var(--mpd-line, #2a3643);
    --good: #4cc79a;
    --warn-ink: #ffd589;
    --warn-ground: #3a2c0d;
    --bad-ink: #ffb3b3;
    --bad-ground: #421a1c;
    --path-0: #6ea8ff;
    --path-1: #ffa05c;
    --path-2: #4cc79a;
    --path-3: #c993f2;
  }
}
* { box-sizing: border-box; margin: 0; }
.panel { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; padding: 14px 16px; min-width: 0; }
h2 { font-size: 11px; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--dim); }
.status { display: flex; gap: 8px; align-items: baseline; }
.dot { flex: none; width: 9px; height: 9px; border-radius: 50%; background: var(--dim); }
.status[data-state="multipath"] .dot { background: var(--good); }
.status[data-warn="true"] { padding: 8px 10px; border-radius: 8px; color: var(--warn-ink); background: var(--warn-ground); }
.status[data-warn="true"] .dot { background: currentColor; }
.errors { display: grid; gap: 6px; list-style: none; padding: 0; }
.errors li { padding: 8px 10px; border-radius: 8px; overflow-wrap: anywhere; color: var(--warn-ink); background: var(--warn-ground); }
.errors li[data-fatal="true"] { color: var(--bad-ink); background: var(--bad-ground); font-weight: 600; }
[role="alert"]:has(.errors:empty) { display: none; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 8px; }
.figure { padding: 8px 10px; border-radius: 8px; background: var(--raised); min-width: 0; }
.figure dt { font-size: 11px; color: var(--dim); }
.figure dd { font-size: 17px; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.figure dd small { display: block; font-size: 11px; font-weight: 400; color: var(--dim); }
.reason { color: var(--ink); overflow-wrap: anywhere; min-height: 2.8em; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
caption { text-align: left; padding-bottom: 4px; }
td, th { padding: 6px 0; border-top: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: middle; }
th { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
td.spark-cell { width: 34%; padding-left: 10px; }
td.rate { width: 30%; text-align: right; white-space: nowrap; }
.path-name { display: block; font-weight: 600; overflow: hidden; text-overflow: ellipsis; }
.path-note { display: block; font-size: 11px; color: var(--dim); }
.rate b { display: block; font-size: 15px; font-weight: 600; }
.rate small { font-size: 11px; font-weight: 400; color: var(--dim); }
.spark { display: block; width: 100%; height: 28px; color: var(--path-0); }
.spark .line { fill: none; stroke: currentColor; stroke-width: 1.5; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.spark .area { fill: currentColor; opacity: .16; }
tr:nth-child(4n+2) .spark { color: var(--path-1); }
tr:nth-child(4n+3) .spark { color: var(--path-2); }
tr:nth-child(4n+4) .spark { color: var(--path-3); }
tr[data-state="closed"] { opacity: .5; }
tr[data-state="backup"] .spark { opacity: .6; }
[hidden] { display: none !important; }
.policy, .why { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
.carriage-line, .carriage-networks { overflow-wrap: anywhere; }
.carriage-networks { margin: 0; padding-left: 1.2em; }
.choice { display: flex; gap: 8px; align-items: center; }
.choice select { flex: 1; min-width: 0; }
.networks { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; gap: 6px 8px; align-items: center; }
.network { display: contents; }
.network label { grid-row: span 2; display: flex; gap: 6px; align-items: center; min-width: 0; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--path-0); outline-offset: 1px; }
input:disabled { opacity: .55; }
select, input { font: inherit; color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 3px 6px; }
input.budget { width: 7.5em; }
.empty { color: var(--dim); padding: 6px 0; border-top: 1px solid var(--line); }
`;
