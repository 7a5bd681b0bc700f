/** One period of a manifest over ffmpeg's films. */
export interface PeriodPlan {
  /** Folder of the film, with its slash. */
  baseUrls: readonly string[];
  startSeconds: number;
  durationSeconds: number;
  /** First segment of the film. */
  startNumber: number;
  /** Declared rates, one a rung, as in `init-stream<id>`. */
  bitratesBps: readonly number[];
}

const SEGMENT_SECONDS = 2;

function template({ startNumber }: PeriodPlan): string {
  const offset = (startNumber - 1) * SEGMENT_SECONDS;
  return `<SegmentTemplate timescale="1" duration="${SEGMENT_SECONDS}" startNumber="${startNumber}" presentationTimeOffset="${offset}"
        initialization="init-stream$RepresentationID$.m4s" media="chunk-stream$RepresentationID$-$Number%05d$.m4s"/>`;
}

function period(plan: PeriodPlan, index: number): string {
  const rungs = plan.bitratesBps.map(
    (bitrateBps, id) =>
      `<Representation id="${id}" codecs="avc1.42c014" bandwidth="${bitrateBps}" width="320" height="180" frameRate="24"/>`,
  );
  const audioId = plan.bitratesBps.length;
  return `<Period id="p${index}" start="PT${plan.startSeconds}S" duration="PT${plan.durationSeconds}S">
    ${plan.baseUrls.map((url) => `<BaseURL>${url}</BaseURL>`).join('')}
    <AdaptationSet id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">
      ${template(plan)}${rungs.join('')}
    </AdaptationSet>
    <AdaptationSet id="1" contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1">
      ${template(plan)}<Representation id="${audioId}" codecs="mp4a.40.2" bandwidth="64000" audioSamplingRate="44100"/>
    </AdaptationSet>
  </Period>`;
}

/**
 * A film on demand, with a `BaseURL` above the periods if `baseUrls` requests it.
 * @param steeringUrl address of a content steering server; the BaseURLs are its pathways `s0`, `s1`, ...
 */
export function staticManifest(
  periods: readonly PeriodPlan[],
  baseUrls: readonly string[] = [],
  steeringUrl?: string,
): string {
  const steering =
    steeringUrl === undefined
      ? ''
      : `<ContentSteering defaultServiceLocation="s0" queryBeforeStart="true">${steeringUrl}</ContentSteering>`;
  const seconds = periods.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static"
  mediaPresentationDuration="PT${seconds}S" minBufferTime="PT2S">
  ${baseUrls.map((url, index) => `<BaseURL serviceLocation="s${index}">${url}</BaseURL>`).join('')}${steering}
  ${periods.map(period).join('\n  ')}
</MPD>`;
}
