import type { Metric } from './metric-types';

/**
 * Reads definitions from text, one metric a line: name, label, unit, which way is better, definition. A star after the
 * name: shown first. A table stays a table that way, which a list of objects does not.
 * @throws RangeError naming the line that is not one
 */
export function readMetrics(source: Metric['source'], table: string): Metric[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', label, unit, better, definition] = line.split('|').map((one) => one.trim());
      if (!label || !isUnit(unit) || !isDirection(better) || !definition) {
        throw new RangeError(`not a metric: ${line}`);
      }
      const headline = name.endsWith('*');
      return { name: name.replace('*', ''), label, unit, better, definition, source, headline };
    });
}

function isUnit(text: string | undefined): text is Metric['unit'] {
  return ['ms', 'bit/s', 'byte', 'Mbit/s', '1'].includes(text ?? '');
}

function isDirection(text: string | undefined): text is Metric['better'] {
  return ['higher', 'lower', 'none'].includes(text ?? '');
}

/** Every metric of a session, in the order of docs/results.md. */
export const SESSION_METRICS = readMetrics(
  'session.jsonl',
  `
  startupDelayMs* | Start-up delay | ms | lower | load call to first frame
  averageVideoBitrateBps* | Average video bit rate | bit/s | higher | video on screen, weighted by played time
  averageAudioBitrateBps | Average audio bit rate | bit/s | higher | the same of audio
  videoSwitches* | Video switches | 1 | lower | rung changes on screen; the first rung is none
  videoSwitchMagnitudeBps | Sum of video switches | bit/s | lower | sum of the heights of the video switches
  audioSwitches | Audio switches | 1 | lower | the same count of audio
  stalls* | Stalls | 1 | lower | playback stood still for 100 ms or more after start-up
  stallMs* | Stalled | ms | lower | sum of the stalls
  outageRatio | Outage ratio | 1 | lower | stalled over stalled plus played time
  bufferMeanMs* | Buffer, mean | ms | higher | after start-up, by time; the lesser of video and audio
  bufferMinMs | Buffer, least | ms | higher | the least of the same
  playedMs | Played | ms | none | clock time in which the position advanced
  droppedFrames | Dropped frames | 1 | lower | frames decoded too late to be shown
  droppedFrameRatio | Share of frames dropped | 1 | lower | dropped over decoded frames
  linearQoePerSegment* | Linear QoE per segment | Mbit/s | higher | linearQoeTotal over the segments
  linearQoeTotal | Linear QoE | Mbit/s | higher | Yin et al.: rungs in Mbit/s, less the top rung per second stalled, less the steps; summed
  segmentsPlayed | Segments played | 1 | none | video segments that the QoE counts
  videoBufferMeanMs | Video buffer, mean | ms | higher | after start-up, by time
  audioBufferMeanMs | Audio buffer, mean | ms | higher | the same of audio
  goodputBps | Goodput | bit/s | higher | bytes of whole media segments over the time in which a media request was outstanding
  videoThroughputBps | Throughput, video | bit/s | higher | video bytes over the time in which a video request was outstanding
  audioThroughputBps | Throughput, audio | bit/s | higher | the same of audio
  throughputBps* | Throughput | bit/s | higher | media bytes, given-up ones too, over the time in which a media request was outstanding
  applicationRttMs* | Application RTT, video | ms | lower | mean time from GET to the complete answer, video segments
  applicationJitterMs* | Application jitter, video | ms | lower | mean absolute difference of consecutive application RTTs, video segments
  audioApplicationRttMs | Application RTT, audio | ms | lower | the same of audio
  audioApplicationJitterMs | Application jitter, audio | ms | lower | the same of audio
  segmentDelayP50Ms | Segment delay, median | ms | lower | GET to last byte, video segments
  segmentDelayP95Ms | Segment delay, 95th percentile | ms | lower | the same
  segmentSpeedP50Bps | Segment speed, median | bit/s | higher | bytes over that time, video segments
  segmentSpeedP5Bps | Segment speed, 5th percentile | bit/s | higher | the slow end of the same
  abandonedRequests | Requests given up | 1 | lower | by the player, of all kinds
  failedRequests | Requests failed | 1 | lower | of all kinds
  errors | Errors | 1 | lower | error events
  pathSwitches | Path switches | 1 | none | changes of the set of carrying paths; a first joining is none
  holMeanBytes | Held bytes, mean | byte | lower | received but waiting for an earlier byte on another path; by time
  holMaxBytes | Held bytes, most | byte | lower | the most of the same
`,
);
