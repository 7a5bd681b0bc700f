/**
 * What the desktop app's window and its main process say to each other, beside the feed. Everything that
 * crosses is listed here once; main, preload and renderer derive their types from it and both ends validate.
 */
import * as v from 'valibot';
import type { NetworkWish } from '../ports';
import { networkPreferencesSchema, networkWishSchema, policyConfigSchema } from './brain-schema';
import type { FeedDown } from './feed-down';
import type { FeedUp } from './feed-up';
import { limits } from './limits';
import { parse, type Parsed } from './parse';

const text = v.pipe(v.string(), v.maxLength(limits.textChars));
const url = v.pipe(v.string(), v.minLength(1), v.maxLength(limits.urlChars));
const nothing = v.strictObject({});
const failure = v.strictObject({ ok: v.literal(false), error: text });

/** A stream the player can load, and what to call it on screen. */
const streamSourceSchema = v.strictObject({
  /** `http:`, `https:` or the app's own media scheme. */
  url,
  /** The URL or the file's path, as the viewer knows it. */
  label: v.pipe(v.string(), v.maxLength(limits.urlChars)),
});

/** How the app's own network stack came to speak MPTCP, or why it does not. */
const mptcpLaunchSchema = v.strictObject({
  /**
   * `preloaded`: sockets are opened as MPTCP. `off`: not asked for. `disabled`: net.mptcp.enabled=0.
   * `no-kernel`: built without. `no-mptcpize`: the tool is not installed. `failed`: it did not take hold.
   */
  state: v.picklist(['preloaded', 'off', 'disabled', 'no-kernel', 'no-mptcpize', 'failed']),
  /** One line for the viewer, with the command that mends it where something is wrong. */
  reason: text,
});

const launchInfoSchema = v.strictObject({
  versions: v.strictObject({ app: text, electron: text, chrome: text, node: text }),
  /** What the command line asked to play. */
  initialSource: v.optional(streamSourceSchema),
  /** Why that cannot be played. */
  initialError: v.optional(text),
  /** What the viewer should know from the start. */
  initialNotice: v.optional(text),
  /** Bitrate rule asked for; absent means the player's default. */
  abr: v.optional(text),
  mptcp: mptcpLaunchSchema,
  decision: v.strictObject({
    /** False: dash.js's estimate stays as it is. */
    correction: v.boolean(),
    /** Path policy by name; absent: the player's own choice. */
    policy: v.optional(text),
    policyConfig: v.optional(policyConfigSchema),
    bufferTargetMs: v.optional(v.pipe(v.number(), v.minValue(1000), v.maxValue(600_000))),
    /** What the viewer said of the networks, now or in an earlier run. */
    networks: networkPreferencesSchema,
  }),
});

const closingReasonSchema = v.picklist(['time-up', 'interrupted', 'closed']);

/** Questions of the window, with their answers. */
const appInvocations = {
  /** Shows the system's file dialog; `cancelled` when the viewer thinks better of it. */
  openFileDialog: {
    request: nothing,
    response: v.variant('outcome', [
      v.strictObject({ outcome: v.literal('opened'), source: streamSourceSchema }),
      v.strictObject({ outcome: v.literal('cancelled') }),
      v.strictObject({ outcome: v.literal('failed'), error: text }),
    ]),
  },
  /** Announces the stream about to be loaded: main checks it, lets its origin be read and begins a log. */
  beginStream: {
    request: v.strictObject({
      url,
      /** The player decides about the paths; false for a baseline, whose paths nothing of ours may touch. */
      steers: v.boolean(),
    }),
    response: v.variant('ok', [
      v.strictObject({
        ok: v.literal(true),
        /** As it was understood. */
        url,
        /** Where the session is logged; absent when it cannot be. */
        logFile: v.optional(text),
        /** Why it is not logged. */
        logError: v.optional(text),
      }),
      failure,
    ]),
  },
  getLaunchInfo: { request: nothing, response: launchInfoSchema },
  /** The viewer said something of a network: it holds for later runs too. */
  saveNetwork: {
    request: v.strictObject({ wish: networkWishSchema }),
    response: nothing,
  },
  /** The window has ended its session; main may close the log. */
  sessionClosed: { request: nothing, response: nothing },
} as const;

/** News from main to the window. */
const appEvents = {
  /** The application menu chose another stream. */
  openRequested: streamSourceSchema,
  /** End the session in order, then answer with `sessionClosed`. */
  closing: v.strictObject({ reason: closingReasonSchema }),
  /** Something the viewer should know that does not stop playback. */
  notice: v.strictObject({ text }),
} as const;

/** Names of the channels; nothing else crosses. */
export const appChannels = {
  invoke: (name: AppInvocation): string => `app:${name}`,
  event: (name: AppEvent): string => `app:event:${name}`,
  /** Asks for the feed of the stream announced last: `welcome` and the status follow on `feedDown`. */
  feedOpen: 'feed:open',
  feedClose: 'feed:close',
  feedUp: 'feed:up',
  feedDown: 'feed:down',
  /** One for each message of `feedDown` the page has taken, so that main never queues without bound. */
  feedAck: 'feed:ack',
} as const;

export type StreamSource = v.InferOutput<typeof streamSourceSchema>;
export type MptcpLaunch = v.InferOutput<typeof mptcpLaunchSchema>;
export type LaunchInfo = v.InferOutput<typeof launchInfoSchema>;
export type ClosingReason = v.InferOutput<typeof closingReasonSchema>;

export type AppInvocation = keyof typeof appInvocations;
export type AppRequest<N extends AppInvocation> = v.InferOutput<
  (typeof appInvocations)[N]['request']
>;
export type AppResponse<N extends AppInvocation> = v.InferOutput<
  (typeof appInvocations)[N]['response']
>;
export type AppEvent = keyof typeof appEvents;
export type AppEventPayload<N extends AppEvent> = v.InferOutput<(typeof appEvents)[N]>;

/** What the preload script puts into the window as `multipathDash`: the page's only way out of its sandbox. */
export interface AppBridge {
  readonly feed: {
    send(message: FeedUp): void;
    /** Begins the feed of the stream announced last; one listener at a time. Returns the function that unsubscribes. */
    onMessage(listener: (message: FeedDown) => void): () => void;
    close(): void;
  };
  openFileDialog(): Promise<AppResponse<'openFileDialog'>>;
  beginStream(url: string, steers: boolean): Promise<AppResponse<'beginStream'>>;
  getLaunchInfo(): Promise<LaunchInfo>;
  saveNetwork(wish: NetworkWish): Promise<void>;
  sessionClosed(): Promise<void>;
  onOpenRequested(listener: (source: StreamSource) => void): () => void;
  onClosing(listener: (reason: ClosingReason) => void): () => void;
  onNotice(listener: (text: string) => void): () => void;
}

/** Name of the bridge on the window's global object. */
export const APP_BRIDGE = 'multipathDash';

/** Checks a question; the error names invocation and field. */
export function parseAppRequest<N extends AppInvocation>(
  name: N,
  input: unknown,
): Parsed<AppRequest<N>> {
  return parse(appInvocations[name].request, input, name);
}

/** Checks an answer; the error names invocation and field. */
export function parseAppResponse<N extends AppInvocation>(
  name: N,
  input: unknown,
): Parsed<AppResponse<N>> {
  return parse(appInvocations[name].response, input, name);
}

/** Checks news from main; the error names event and field. */
export function parseAppEvent<N extends AppEvent>(
  name: N,
  input: unknown,
): Parsed<AppEventPayload<N>> {
  return parse(appEvents[name], input, name);
}
