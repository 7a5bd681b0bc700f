/**
 * The protocol between the desktop app's window and its main process, besides the feed. Every message is
 * listed here once; main, preload and renderer derive their types from it, and both ends validate.
 */
import * as v from 'valibot';
import type { NetworkWish } from '../core';
import { networkPreferencesSchema, networkWishSchema, policyConfigSchema } from './brain-schema';
import type { FeedDown } from './feed-down';
import type { FeedUp } from './feed-up';
import { text } from './fields';
import { limits } from './limits';
import { mediaChoiceSchema } from './media-choice';
import { parse, type Parsed } from './parse';

const url = v.pipe(v.string(), v.minLength(1), v.maxLength(limits.urlChars));
const nothing = v.strictObject({});
const failure = v.strictObject({ ok: v.literal(false), error: text });

/** A stream the player can load, and its name on screen. */
const streamSourceSchema = v.strictObject({
  /** `http:`, `https:` or the app's own media scheme. */
  url,
  /** The URL or file path, for the viewer. */
  label: v.pipe(v.string(), v.maxLength(limits.urlChars)),
});

/** MPTCP support of the app's own network stack, with the reason for its absence. */
const mptcpLaunchSchema = v.strictObject({
  /**
   * `preloaded`: sockets are opened as MPTCP. `off`: not requested. `disabled`: net.mptcp.enabled=0.
   * `no-kernel`: kernel without MPTCP. `no-mptcpize`: the tool is not installed. `failed`: the preload had no
   * effect.
   */
  state: v.picklist(['preloaded', 'off', 'disabled', 'no-kernel', 'no-mptcpize', 'failed']),
  /** One line for the viewer, with the command that fixes a problem. */
  reason: text,
});

/** A network that a stream can use. */
const foundNetworkSchema = v.strictObject({
  /** Interface name, as in the samples. */
  network: text,
  /** Local IPv4 address, or the IPv6 address where there is no other. */
  address: text,
});

const launchInfoSchema = v.strictObject({
  versions: v.strictObject({ app: text, electron: text, chrome: text, node: text }),
  /** The stream requested on the command line. */
  initialSource: v.optional(streamSourceSchema),
  /** The reason why it cannot be played. */
  initialError: v.optional(text),
  /** Initial notes for the viewer. */
  initialNotice: v.optional(text),
  /** Requested bitrate rule; absent: the player's default. */
  abr: v.optional(text),
  mptcp: mptcpLaunchSchema,
  /** The networks of this computer, each with a default route. */
  networks: v.pipe(v.array(foundNetworkSchema), v.maxLength(limits.paths)),
  /** Tracks and keys, for every stream that the window opens. */
  media: mediaChoiceSchema,
  decision: v.strictObject({
    /** False: dash.js's estimate is not overridden. */
    correction: v.boolean(),
    /** Path policy by name; absent: the player's own choice. */
    policy: v.optional(text),
    policyConfig: v.optional(policyConfigSchema),
    bufferTargetMs: v.optional(v.pipe(v.number(), v.minValue(1000), v.maxValue(600_000))),
    /** The viewer's network preferences, from now or an earlier run. */
    networks: networkPreferencesSchema,
  }),
});

const closingReasonSchema = v.picklist(['time-up', 'interrupted', 'closed']);

/** Questions of the window, with their answers. */
const appInvocations = {
  /** Shows the system's file dialog; `cancelled` if the viewer closes it. */
  openFileDialog: {
    request: nothing,
    response: v.variant('outcome', [
      v.strictObject({ outcome: v.literal('opened'), source: streamSourceSchema }),
      v.strictObject({ outcome: v.literal('cancelled') }),
      v.strictObject({ outcome: v.literal('failed'), error: text }),
    ]),
  },
  /** Asks whether a stream can be opened, before the one that plays is ended. Changes nothing. */
  checkStream: {
    request: v.strictObject({ url }),
    response: v.variant('ok', [v.strictObject({ ok: v.literal(true) }), failure]),
  },
  /** The preload script names a file that the viewer dropped; main asks the viewer before it opens it. */
  openDropped: {
    request: v.strictObject({
      file: v.pipe(v.string(), v.minLength(1), v.maxLength(limits.urlChars)),
    }),
    response: nothing,
  },
  /** Announces the stream to load: main checks it, permits its origin and starts a log. */
  beginStream: {
    request: v.strictObject({
      url,
      /** The player decides about the paths; false for a baseline, whose paths we must not touch. */
      steers: v.boolean(),
    }),
    response: v.variant('ok', [
      v.strictObject({
        ok: v.literal(true),
        /** The address as the main process parsed it. */
        url,
        /** File of the session log; absent if it cannot be written. */
        logFile: v.optional(text),
        /** The reason for a missing log. */
        logError: v.optional(text),
      }),
      failure,
    ]),
  },
  getLaunchInfo: { request: nothing, response: launchInfoSchema },
  /** The viewer's preference for a network, valid for later runs too. */
  saveNetwork: {
    request: v.strictObject({ wish: networkWishSchema }),
    response: nothing,
  },
  /** The window has ended its session; main may close the log. */
  sessionClosed: { request: nothing, response: nothing },
} as const;

/** Events from main to the window. */
const appEvents = {
  /** The application menu chose another stream. */
  openRequested: streamSourceSchema,
  /** End the session in order, then answer with `sessionClosed`. */
  closing: v.strictObject({ reason: closingReasonSchema }),
  /** A note for the viewer that does not stop playback. */
  notice: v.strictObject({ text }),
} as const;

/** Names of the channels; no others exist. */
export const appChannels = {
  invoke: (name: AppInvocation): string => `app:${name}`,
  event: (name: AppEvent): string => `app:event:${name}`,
  /** Requests the feed of the stream announced last: the present state and `welcome` follow on `feedDown`. */
  feedOpen: 'feed:open',
  feedClose: 'feed:close',
  feedUp: 'feed:up',
  feedDown: 'feed:down',
  /** Acknowledges each message of `feedDown`, so that main's queue stays bounded. */
  feedAck: 'feed:ack',
} as const;

export type StreamSource = v.InferOutput<typeof streamSourceSchema>;
export type MptcpLaunch = v.InferOutput<typeof mptcpLaunchSchema>;
export type LaunchInfo = v.InferOutput<typeof launchInfoSchema>;
export type FoundNetwork = v.InferOutput<typeof foundNetworkSchema>;
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

/** The object that the preload script exposes as `multipathDash`: the page's only exit from its sandbox. */
export interface AppBridge {
  readonly feed: {
    send(message: FeedUp): void;
    /**
     * Starts the feed of the stream announced last; one listener at a time. Returns the function that
     * unsubscribes.
     */
    onMessage(listener: (message: FeedDown) => void): () => void;
    close(): void;
  };
  openFileDialog(): Promise<AppResponse<'openFileDialog'>>;
  checkStream(url: string): Promise<AppResponse<'checkStream'>>;
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

/** Checks an event from main; the error names event and field. */
export function parseAppEvent<N extends AppEvent>(
  name: N,
  input: unknown,
): Parsed<AppEventPayload<N>> {
  return parse(appEvents[name], input, name);
}
