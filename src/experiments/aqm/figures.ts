import type { Results } from '../../report';
import { ratioOf, rowsOf } from './cells';
import type { AqmFigure, AqmTable } from './types';

interface Source {
  /** Exact name of the metric. */
  metric: string;
  label: string;
  unit: string;
  /** Divisor of the results' values. */
  divisor: number;
}

interface FigureSource extends Source {
  figure: number;
  paper: string;
}

const source = (metric: string, label: string, unit: string, divisor = 1): Source => ({
  metric,
  label,
  unit,
  divisor,
});

const QUEUE_PAPER =
  'PIE keeps its target; FQ-PIE with a target of 5 ms oscillates from 10 to 20 ms. (There, FQ-PIE: mean over the queues ' +
  'active at a moment; here, both: mean over the packets that left.)';

/** Statements of section IV's text about Figs. 2 to 13; the curves have no numbers. */
const FIGURES: readonly FigureSource[] = [
  {
    ...source('videoSwitches', 'Bitrate switches, video', 'per trial'),
    figure: 2,
    paper: 'FQ-PIE has fewer.',
  },
  {
    ...source('averageVideoBitrateBps', 'Bitrate, video', 'kbit/s', 1000),
    figure: 3,
    paper: 'FQ-PIE streams about 600, PIE about 300 kbit/s; FQ-PIE is more stable.',
  },
  {
    ...source('videoThroughputBps', 'Throughput, video', 'kbit/s', 1000),
    figure: 4,
    paper: "FQ-PIE has almost twice PIE's.",
  },
  {
    ...source('videoBufferMeanMs', 'Playback buffer, video', 's', 1000),
    figure: 5,
    paper: "FQ-PIE's is slightly lower.",
  },
  {
    ...source('applicationRttMs', 'Application RTT, video', 'ms'),
    figure: 6,
    paper: 'About 1700 ms with FQ-PIE, 1600 ms with PIE.',
  },
  {
    ...source('applicationJitterMs', 'Application jitter, video', 'ms'),
    figure: 7,
    paper: 'FQ-PIE has less.',
  },
  {
    ...source('audioThroughputBps', 'Throughput, audio', 'kbit/s', 1000),
    figure: 8,
    paper: "FQ-PIE has almost twice PIE's.",
  },
  {
    ...source('audioBufferMeanMs', 'Playback buffer, audio', 's', 1000),
    figure: 9,
    paper: "FQ-PIE's is slightly lower.",
  },
  {
    ...source('audioApplicationRttMs', 'Application RTT, audio', 'ms'),
    figure: 10,
    paper: "FQ-PIE's is shorter.",
  },
  {
    ...source('audioApplicationJitterMs', 'Application jitter, audio', 'ms'),
    figure: 11,
    paper: 'FQ-PIE has more.',
  },
  {
    ...source('queueDelayMeanMs.r1-r3.ab', 'Queue delay, R1 to R3', 'ms'),
    figure: 12,
    paper: QUEUE_PAPER,
  },
  {
    ...source('queueDelayMeanMs.r2-r4.ab', 'Queue delay, R2 to R4', 'ms'),
    figure: 13,
    paper: QUEUE_PAPER,
  },
];

const side = (number: number, link: string): Source[] => [
  source(`linkRateBps.${link}.ab`, `Carried, bottleneck ${number}`, 'Mbit/s', 1e6),
  source(`dropRatio.${link}.ab`, `Dropped, bottleneck ${number}`, '%', 0.01),
  source(`trafficGoodputBps.ftp-${number}`, `Downloads ${number}, all together`, 'Mbit/s', 1e6),
  source(`trafficRtpLossRatio.voip-${number}`, `Calls ${number}, lost`, '%', 0.01),
  source(`trafficRtpJitterMs.voip-${number}`, `Calls ${number}, jitter`, 'ms'),
  source(`trafficCallsFailed.voip-${number}`, `Calls ${number}, failed`, ''),
  source(`trafficRequestMeanMs.web-${number}`, `Web ${number}, reply time`, 'ms'),
  source(`trafficRequestsFailed.web-${number}`, `Web ${number}, failed`, ''),
];

/** Beside the paper's figures: the links and the background traffic. */
const BACKGROUND: readonly Source[] = [
  source('stalls', 'Stalls', 'per trial'),
  source('pathShare.path1', "Path 1's share of the stream's bytes", '%', 0.01),
  source('startupDelayMs', 'Start-up delay', 'ms'),
  ...side(1, 'r1-r3'),
  ...side(2, 'r2-r4'),
];

export function figuresOf(results: Results, targetsMs: readonly number[]): AqmFigure[] {
  return FIGURES.map(({ metric, divisor, ...figure }) => ({
    ...figure,
    rows: rowsOf(results, metric, divisor, targetsMs),
    ratio: ratioOf(results, metric, targetsMs),
  }));
}

/** Only values that at least one trial has. */
export function backgroundOf(results: Results, targetsMs: readonly number[]): AqmTable[] {
  return BACKGROUND.map(({ metric, divisor, label, unit }) => ({
    label,
    unit,
    rows: rowsOf(results, metric, divisor, targetsMs),
  })).filter(({ rows }) => rows.some(({ pie, fqPie }) => pie.count + fqPie.count > 0));
}
