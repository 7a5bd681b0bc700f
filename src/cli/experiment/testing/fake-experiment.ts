import type { Experiment, ExperimentJob } from '../../../experiments';
import type { Workers } from '../../../runner/jobs/worker-pool';

export interface SquareJob extends ExperimentJob {
  value: number;
}

/** Squares of 1 to 4 (2 with `quick`), with texts that a page and a table must escape. */
export const squares: Experiment<SquareJob, { square: number }> = {
  name: 'squares',
  summary: 'squares <of> numbers',
  paper: 'On "Squares" & <Roots>',
  lasts: { quick: 'a moment', whole: 'two moments' },
  plan: ({ quick, seed, trials }) =>
    Array.from({ length: trials ?? (quick ? 2 : 4) }, (_, i) => ({
      key: `square/${seed + i}`,
      value: seed + i,
    })),
  run: ({ value }) => {
    if (value === 13) throw new RangeError('13 has no luck');
    return { square: value * value };
  },
  report: (results) => ({
    name: 'squares',
    title: 'Squares <b>',
    paper: squares.paper,
    simulated: true,
    method: ['Numbers | as they <come>'],
    tables: [
      {
        title: 'Table I',
        columns: [{ label: 'number' }, { label: 'square', unit: 'm²', digits: 1 }],
        rows: results.map(({ job, outcome }) => [
          `a|b <${job.value}>`,
          { count: 2, mean: outcome.square, low: outcome.square - 1, high: outcome.square + 1 },
        ]),
        note: '',
      },
    ],
    figures: (['lines', 'bars', 'steps'] as const).map((kind) => ({
      title: `Figure <${kind}>`,
      kind,
      x: { label: 'number' },
      y: { label: 'square', unit: 'm²', from: 0 },
      series: ['left', '<right>'].map((label) => ({
        label,
        points: results.map(({ job, outcome }) => ({
          x: job.value,
          y: outcome.square,
          low: outcome.square - 1,
          high: outcome.square + 1,
        })),
      })),
      note: 'x < y',
    })),
    claims: [
      { place: 'Fig. 1', paper: 'grows & grows', ours: '<script>', agrees: true },
      { place: 'Fig. 2', paper: 'shrinks', ours: 'grows', agrees: false },
      { place: 'Fig. 3', paper: 'luck', ours: '?', agrees: null },
    ],
  }),
};

/** Runs the jobs of `squares` in this thread. */
export function localWorkers(onRun: (job: SquareJob) => void = () => undefined): Workers {
  return {
    run: async (request) => {
      const { job } = request as { job: SquareJob };
      await Promise.resolve();
      onRun(job);
      return squares.run(job);
    },
    end: () => Promise.resolve(),
  };
}
