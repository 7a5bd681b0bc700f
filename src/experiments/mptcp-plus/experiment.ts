import type { Experiment, ExperimentOptions, ExperimentReport } from '../types';
import { explained, isOfSetUp } from './ablations';
import { mptcpPlusClaims } from './claims';
import {
  DRAWN_VARIANTS,
  ratioFigure,
  samplesFigures,
  segmentFigures,
  settingsFigures,
} from './figures';
import type { MptcpPlusJob, MptcpPlusOutcome } from './jobs';
import { planMptcpPlus, profileOf, STUDY_AVERAGES_KBPS, STUDY_RATIOS } from './plan';
import { MptcpPlusResults, type MptcpPlusResult } from './results';
import { runMptcpPlus } from './run';
import { clientTable, comparisonTable, settingsTable } from './tables';
import { VARIANTS } from './variants';
import { windowsFigures, windowsTable } from './windows';

export const PAPER = 'MPTCP+: Enhancing Adaptive HTTP Video Streaming over Multipath';

function report(results: readonly MptcpPlusResult[], options: ExperimentOptions): ExperimentReport {
  const { filmMs, averagesKbps } = profileOf(options);
  const all = new MptcpPlusResults(results.filter(isOfSetUp));
  return {
    name: 'mptcp-plus',
    title: 'Path use decision and smoothed congestion control',
    paper: PAPER,
    simulated: true,
    method: [
      `${filmMs / 1000} s of playing; the paper's film has 596 s. Segments of 1 s, the dataset's 20 rungs, sizes that vary by 40 %; a trial begins the film elsewhere.`,
      'Two paths of 10 ms (2 ms of jitter) with queues of 60 kB. C1 and C2 always have the same mean; the paper gives the ratios and averages of few of its figures.',
      'MPTCP: minRTT and LIA, as the paper’s kernel has them. MPTCP+: the path use decision (n = 150, rho = 0.6, a sample every 100 ms) around minRTT, and MCC.',
      'MCC’s theta: “the last ten RTTs” are ten samples, one an acknowledgement; beside it one a round trip, and theta held at 1.',
      'The paper sets the window of a path that is out to zero; here it gets nothing new, and what was on it is delivered. One that is out comes back when the best one falls.',
      'The player is dash.js of 2016: the highest rung below 0.9 times the mean throughput of three segments, AbandonRequestsRule, the first segment at 808 kbit/s, 12 s of buffer.',
      'Beside them a client with the fast path alone, over MPTCP with one subflow.',
      'Where the client decides, the server is plain MPTCP: paths are taken out of use by MP_PRIO. The last variant also chooses rungs by our rule.',
    ],
    tables: [
      comparisonTable(
        all,
        averagesKbps,
        VARIANTS,
        'All but the last have the rules of dash.js of 2016.',
      ),
      clientTable(all, averagesKbps, ['client-pud', 'client-model', 'client-ours']),
      settingsTable(all),
      windowsTable(all),
    ],
    figures: [
      ...windowsFigures(all),
      ...samplesFigures(all),
      ratioFigure(all, STUDY_AVERAGES_KBPS, STUDY_RATIOS),
      ...settingsFigures(all),
      ...segmentFigures(all, averagesKbps, DRAWN_VARIANTS),
    ],
    claims: explained(mptcpPlusClaims(all), results),
  };
}

/** The paper's figures 2 and 4 to 8, and the client-only policies. */
export const mptcpPlusExperiment: Experiment<MptcpPlusJob, MptcpPlusOutcome> = {
  name: 'mptcp-plus',
  summary: 'which paths are worth using, decided by the server (MPTCP+) or by the client alone',
  paper: PAPER,
  lasts: { quick: 'about a minute on two cores', whole: 'about an hour and a half on two cores' },
  plan: planMptcpPlus,
  run: runMptcpPlus,
  report,
};
