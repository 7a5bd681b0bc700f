import type { AnswerVerdict } from './agreement';
import type { ResponseHead } from './exchange';
import type { FetchObject } from './fetch-object';
import type { Flight } from './flight';
import type { Suspicion } from './object-networks';

/**
 * Media is never a web page. A captive portal answers with one, or with status 511 (RFC 6585). A page that explains a
 * refusal, as nginx sends with a 416 or a 503, is the server's own.
 */
export const isPage = ({ status, headers }: ResponseHead): boolean =>
  status === 511 || (status < 300 && /^text\/html\b/i.test(headers['content-type'] ?? ''));

/** Time for the other networks to answer better than a host that is not the origin's. Chosen; no measurement. */
const DOUBT_MS = 3000;

export interface SuspicionContext {
  nowMs: number;
  /** Other networks that may fetch the object and can confirm or refute the answer. */
  others: readonly string[];
}

/**
 * The reason why an answer probably does not come from the origin, but from a captive portal. Its network is then excluded
 * until the other networks have had time to answer. Undefined for an answer that counts.
 */
export function suspectAnswer(
  flight: Flight,
  head: ResponseHead,
  verdict: AnswerVerdict,
  context: SuspicionContext,
): string | undefined {
  const { networks } = flight.object;
  const { networkId } = flight.action;
  const suspicion = suspicionOf(flight, head, verdict);
  if (suspicion === undefined || isConfirmed(flight, suspicion, context)) return undefined;
  networks.suspects.set(networkId, suspicion);
  // If no other network answers, a host that is not the origin's is all there is.
  const isFinal = suspicion.isPage && flight.object.request.joinable;
  const untilMs = isFinal ? Infinity : context.nowMs + DOUBT_MS;
  networks.exclude(networkId, suspicion.reason, untilMs);
  return suspicion.reason;
}

/**
 * A web page instead of media, or an answer of another host, may come from a captive portal. A portal has no part of
 * the media with a strong validator.
 */
function suspicionOf(
  { object, url: { host } }: Flight,
  head: ResponseHead,
  verdict: AnswerVerdict,
): Suspicion | undefined {
  if (object.agreement) return undefined;
  if (verdict.kind === 'part') return undefined;
  if (isPage(head)) return { host, reason: 'a web page answers for the media', isPage: true };
  if (host === object.request.url.host || object.facts.trustedHosts.has(host)) return undefined;
  return { host, reason: `it is redirected to ${host}`, isPage: false };
}

/**
 * A suspected answer counts if no other network can give a better one: there is none, each one is suspected too, or none
 * has answered in time. It also counts if a second network is redirected to the same host. A web page counts as a
 * segment only if there is no other network.
 */
function isConfirmed(
  { object, action }: Flight,
  { host, isPage }: Suspicion,
  { others, nowMs }: SuspicionContext,
): boolean {
  const { networkId } = action;
  const isDoubted = (object.networks.exclusions.get(networkId)?.untilMs ?? 0) > nowMs;
  const isRepeated = !isDoubted && object.networks.suspects.get(networkId)?.host === host;
  object.networks.suspects.delete(networkId);
  const redirected = [...object.networks.suspects].filter(([, other]) => !other.isPage);
  const isAgreed = !isPage && redirected.some(([, other]) => other.host === host);
  const isLast = others.every((id) => object.networks.suspects.has(id));
  const isTrusted = isAgreed || isLast || isRepeated;
  if (isTrusted) trust(object, redirected);
  if (!isPage) {
    if (isTrusted) object.facts.trustedHosts.add(host);
    return isTrusted;
  }
  const isAll = isLast && redirected.length === 0;
  // Every network gives the same page, so none of them is at fault.
  if (isAll) object.networks.suspects.clear();
  return object.request.joinable ? others.length === 0 : isAll || isRepeated;
}

/** The hosts to which networks are redirected belong to the origin: a CDN chooses one for each network. */
function trust(object: FetchObject, redirected: readonly [string, Suspicion][]): void {
  for (const [networkId, { host }] of redirected) {
    object.facts.trustedHosts.add(host);
    object.networks.suspects.delete(networkId);
    object.networks.exclusions.delete(networkId);
  }
}

/** Another network delivered the object, so the earlier answer did not come from the origin. */
export function settleSuspects({ object, action }: Flight, nowMs: number): void {
  for (const [networkId, { reason }] of object.networks.suspects) {
    if (networkId !== action.networkId) {
      object.facts.out(networkId, `${reason}: sign in to this network`, nowMs);
    }
  }
  object.networks.suspects.clear();
}
