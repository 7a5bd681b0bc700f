import type { ByteRange } from '../chunks';
import { disagreement, judgeHead, type AnswerVerdict } from './agreement';
import type { ExchangeFailure, ResponseHead } from './exchange';
import type { Flight } from './flight';
import { parseUrl } from './parse-url';
import { isPage, settleSuspects, suspectAnswer, type SuspicionContext } from './suspicion';

/** The further course of a flight once the head of its answer is known. */
export type Outcome =
  | { kind: 'receive' }
  | { kind: 'follow'; url: URL }
  /** The flight has ended without an error and without bytes. */
  | { kind: 'done' }
  | { kind: 'fail'; failure: ExchangeFailure };

const fail = (kind: ExchangeFailure['kind'], reason: string): Outcome => ({
  kind: 'fail',
  failure: { kind, reason },
});

const impostor = (reason: string): Outcome => ({
  kind: 'fail',
  failure: { kind: 'mismatch', reason, impostor: true },
});

export interface JudgeContext extends SuspicionContext {
  wallNowMs: number;
  /** Other requests to the origin over the same network whose answers have begun. */
  answering: number;
}

/**
 * Judges the head of an answer for its object. Either the object takes over its description, or the result names why
 * the answer does not belong to the object. A network whose answer did not come from the origin is excluded, for the
 * object or for the whole origin.
 */
export function takeHead(flight: Flight, head: ResponseHead, context: JudgeContext): Outcome {
  const { object } = flight;
  const { networkId } = flight.action;
  const verdict = judgeHead(head, flight.requestedRange, context.wallNowMs);
  if (verdict.kind === 'redirect') return takeRedirect(flight, verdict.location);
  object.facts.answered(networkId);
  const suspicion = suspectAnswer(flight, head, verdict, context);
  if (suspicion !== undefined) return fail('mismatch', suspicion);
  const outcome = takeVerdict(flight, head, verdict, context);
  if (outcome.kind === 'receive') {
    flight.stop = Math.min(flight.stop, flight.cutAt);
    if (!flight.isMeasurement) settleSuspects(flight, context.nowMs);
  }
  return outcome;
}

function takeRedirect(flight: Flight, location: string): Outcome {
  const from = flight.url;
  const url = parseUrl(location, from);
  if (url === undefined || !flight.redirect()) {
    flight.object.networks.exclude(
      flight.action.networkId,
      'it is redirected in a circle, or to no address',
    );
    return fail('refused', 'a redirection that leads nowhere');
  }
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && from.protocol === 'http:');
  if (!isSafe) return impostor(`it is redirected to ${url.protocol}//${url.host}`);
  flight.object.networks.redirected(flight.action.networkId, url);
  flight.url = url;
  return { kind: 'follow', url };
}

function takeVerdict(
  flight: Flight,
  head: ResponseHead,
  verdict: Exclude<AnswerVerdict, { kind: 'redirect' }>,
  context: JudgeContext,
): Outcome {
  const { object } = flight;
  const { networkId } = flight.action;
  if (isOtherVersion(flight, head)) {
    object.ignoreRange();
    object.whole = true;
    // The page gets a whole answer as it is. After a part, the object starts again.
    if (verdict.kind !== 'whole') return { kind: 'done' };
  }
  switch (verdict.kind) {
    case 'part': {
      const objection = object.agree(verdict.agreement, {
        ...head,
        url: flight.url.href,
      });
      if (objection !== undefined) {
        object.differs(context.nowMs);
        object.networks.exclude(networkId, objection);
        return fail('mismatch', objection);
      }
      object.facts.joined();
      object.networks.joined.add(networkId);
      if (object.networks.joined.size > 1) object.facts.edges.agreed(context.nowMs);
      flight.position = verdict.range.start - object.base;
      flight.stop = verdict.range.end - object.base;
      return { kind: 'receive' };
    }
    case 'not-joinable':
      object.weak();
      // A part of the object that was asked for earlier is not all of it.
      if (object.whole && isAll(flight)) return takeAlone(flight, head, verdict.range);
      object.whole = true;
      return fail('refused', verdict.reason);
    case 'whole':
      return takeWhole(flight, head, verdict, context);
    case 'beyond-end':
      // The length was guessed, and the range began behind the true end.
      if (isBehindEnd(flight, verdict.completeBytes)) return { kind: 'done' };
      if (isEmptyRange(flight, verdict.completeBytes)) {
        // An empty object has no range at all, so it is asked for without one.
        object.whole = true;
        return { kind: 'done' };
      }
      return takeShorter(flight, head, verdict.completeBytes);
    case 'later':
      object.refusal ??= head;
      // nginx's limit_conn and others limit the requests at a time, not the requests in a time.
      if (context.answering > 0)
        object.facts.limitRequests(networkId, context.answering, context.nowMs);
      else object.facts.later(networkId, verdict.retryAfterMs, context.nowMs);
      return fail('refused', `HTTP ${head.status}`);
    case 'refusal':
      // A signed target expires, or a CDN removed it. The origin may have another one.
      if (!flight.isRedirected && object.networks.leaveTarget(networkId, flight.url))
        return fail('refused', `HTTP ${head.status} after an earlier redirection`);
      object.refusal ??= head;
      // The server has answered parts of it: one error may pass. Six in a row exclude the network.
      if (object.agreement === undefined || (head.status < 500 && head.status !== 408))
        object.networks.exclude(networkId, `HTTP ${head.status}`);
      return fail('refused', `HTTP ${head.status}`);
    case 'mismatch':
      if (object.untouched && !object.whole && context.others.length === 0) {
        // No network brings a part that can be used.
        object.weak();
        object.whole = true;
        return fail('refused', verdict.reason);
      }
      object.networks.exclude(networkId, verdict.reason);
      return fail('mismatch', verdict.reason);
  }
}

/** @param completeBytes length that the answer states; servers need not state one */
function isBehindEnd(
  { object, requestedRange }: Flight,
  completeBytes: number | undefined,
): boolean {
  const agreedBytes = object.agreement?.completeBytes ?? Infinity;
  const isAgreed = completeBytes === undefined || completeBytes === agreedBytes;
  return isAgreed && (requestedRange?.start ?? 0) >= agreedBytes;
}

/** Takes a 416 for a range that the object should have. A server need not state the length (RFC 9110, section 15.5.17). */
function takeShorter(
  { object, action, isRest }: Flight,
  head: ResponseHead,
  completeBytes: number | undefined,
): Outcome {
  if (object.agreement === undefined && action.start === 0) {
    object.refusal ??= head;
    object.networks.exclude(action.networkId, 'HTTP 416');
    return fail('refused', 'HTTP 416');
  }
  const isRefuted = completeBytes === undefined && object.totalBytes !== undefined;
  // An edge may be behind the one whose answer has come so far.
  if (object.agreement || isRefuted || isRest) {
    object.networks.exclude(action.networkId, 'it says that the object is shorter');
    return fail('mismatch', '416 for a range within the object');
  }
  if (completeBytes === undefined) object.expectedBytes = undefined;
  else object.setLength(completeBytes);
  return { kind: 'done' };
}

/** True if the flight asks for all that the page asked for. */
const isAll = ({ action }: Flight): boolean => action.start === 0 && action.end === null;

/** True if a page asked for a range of another version than the server has. */
function isOtherVersion({ object }: Flight, { status, headers }: ResponseHead): boolean {
  const validator = object.range?.validator;
  if (validator === undefined || !object.untouched || (status !== 200 && status !== 206))
    return false;
  return ![headers['etag'], headers['last-modified']].includes(validator);
}

/** True if a page asked for everything, and the server refuses the first byte or reports a length of 0. */
function isEmptyRange({ object, action }: Flight, completeBytes: number | undefined): boolean {
  const isRefused = action.start === 0 || completeBytes === 0;
  return isRefused && object.untouched && object.range === undefined;
}

/** Takes the range that the page asked for, in one answer that is joined with no other. */
function takeAlone(flight: Flight, head: ResponseHead, range: ByteRange): Outcome {
  const { object } = flight;
  const { networkId } = flight.action;
  if (object.untouched) object.setLength(range.end);
  const objection = object.agree(undefined, { ...head, url: flight.url.href });
  if (objection !== undefined) {
    object.networks.exclude(networkId, objection);
    return fail('mismatch', objection);
  }
  flight.position = range.start - object.base;
  flight.stop = range.end - object.base;
  return { kind: 'receive' };
}

/** True if the bytes of an answer measure its network, although they cannot be joined with those of the object's own answer. */
const measures = (
  { action, object, requestedRange }: Flight,
  head: ResponseHead,
  { lengthBytes }: AnswerVerdict & { kind: 'whole' },
): boolean =>
  action.purpose === 'probe' &&
  requestedRange === undefined &&
  (object.totalBytes === undefined ? action.end !== null : lengthBytes === object.totalBytes) &&
  !isPage(head);

/** True if the range covered everything: then a server may answer so (RFC 9110, section 14.2), and ranges may work. */
function isCovered(
  { requestedRange }: Flight,
  { agreement }: AnswerVerdict & { kind: 'whole' },
): boolean {
  if (requestedRange === undefined || agreement === undefined) return false;
  return requestedRange.start === 0 && requestedRange.end >= agreement.completeBytes;
}

function takeWhole(
  flight: Flight,
  head: ResponseHead,
  verdict: AnswerVerdict & { kind: 'whole' },
  context: JudgeContext,
): Outcome {
  const { object } = flight;
  const { networkId } = flight.action;
  const wholeWasRequested = flight.requestedRange === undefined;
  if (object.agreement && !wholeWasRequested) {
    // If-Range named another version, or the server ignores ranges over this network.
    const objection = `a whole answer to a range (${head.headers['etag'] ?? 'no validator'})`;
    object.networks.exclude(networkId, objection);
    // A server that honours If-Range answers a range of another version with the whole representation (RFC 9110,
    // section 13.1.5).
    const { agreement } = verdict;
    const isOther = agreement && disagreement(object.agreement, agreement) !== undefined;
    // A server that never fulfils the condition brings no further range over any network.
    const isAlways = agreement && !isPage(head) && context.others.length === 0;
    if (isOther || isAlways) object.differs(context.nowMs, !isOther);
    if (isPage(head))
      object.facts.out(networkId, 'a web page answers for the media', context.nowMs);
    return fail('mismatch', objection);
  }
  if (object.untouched) {
    if (verdict.lengthBytes === undefined) object.ignoreRange();
    else if (object.range && object.base >= verdict.lengthBytes) {
      object.refusal = { status: 416, headers: {} };
      object.networks.exclude(networkId, 'the range begins behind the end');
      return fail('refused', 'the range begins behind the end');
    }
    object.setLength(verdict.lengthBytes);
  }
  const objection = object.agree(verdict.agreement, {
    ...head,
    url: flight.url.href,
  });
  if (objection !== undefined) {
    if (measures(flight, head, verdict)) {
      flight.isMeasurement = true;
      flight.position = -object.base;
      return { kind: 'receive' };
    }
    object.networks.exclude(networkId, objection);
    return fail('mismatch', objection);
  }
  if (!wholeWasRequested && !object.whole) {
    if (!isCovered(flight, verdict)) object.weak();
    object.whole = true;
  }
  flight.position = -object.base;
  flight.stop = object.totalBytes ?? Infinity;
  return { kind: 'receive' };
}
