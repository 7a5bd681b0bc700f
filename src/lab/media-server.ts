import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LabError } from './errors';
import type { AnswerFaults } from './faulty-answers';
import { startFaultyServer } from './faulty-server';
import { findOwnProgram } from './find-file';
import { createLiveOrigin, type LiveOriginOptions } from './live/live-origin';
import { mptcpizeEnv } from './mptcpize';
import { inNetns, readSysctl } from './netns';
import { hostAndPort, nginxConfig } from './nginx-config';
import { type NginxFeatures, parseNginxVersion } from './nginx-version';
import { tryCommand } from './run-command';
import { isInsideSandbox } from './sandbox';
import { SANDBOX_DIR } from './sandbox-command';
import { makeThrowawayTls, type ThrowawayTls } from './throwaway-tls';

/** Time limit until the server accepts connections, also on a busy machine. Chosen; no measurement. */
const READY_TIMEOUT_MS = 10_000;

/** Polls until the port answers; runs inside the server's namespace, so no link sees the packets. */
const PROBE_SCRIPT = `
const [address, port, deadlineMs] = process.argv.slice(1);
const attempt = () => {
  const socket = require('node:net').connect({ host: address, port: Number(port) });
  socket.on('connect', () => process.exit(0));
  socket.on('error', () => (performance.now() > Number(deadlineMs) ? process.exit(1) : setTimeout(attempt, 20)));
};
attempt();
`;

export interface MediaServerOptions {
  /** Namespace file, as `LabNetwork.server` has it; absent: the caller's namespace. */
  netns?: string;
  /** Folder to serve. */
  root: string;
  address: string;
  port: number;
  /** HTTPS with a throw-away authority; `http2` offers HTTP/2 too. */
  tls?: { http2: boolean };
  /** Congestion control of the server's connections, if it differs from the namespace's default. */
  congestionControl?: string;
  /** False: plain TCP, whatever the namespace allows. Default true. */
  mptcp?: boolean;
  /** False: nginx sends no ETag and no date of modification, so that ranges of two answers cannot be joined. Default true. */
  etag?: boolean;
  /** Answers in this process instead of nginx, with the faults of a timeline. HTTP/1.1 only. */
  faulty?: boolean;
  /** Broadcasts this film of the folder: Node streams unfinished files, which nginx cannot. HTTP/1.1 only. */
  live?: Omit<LiveOriginOptions, 'folder'>;
  /** Called if nginx ends by itself. */
  onFailure?: (error: LabError) => void;
}

export interface MediaServer {
  /** `http://10.77.0.1:8080`, without a slash at the end. */
  url: string;
  /** Process id of nginx, or of this process; 0 while it is down. */
  readonly pid: number;
  /** The program and its version. */
  software: string;
  /** Messages of nginx; empty for faulty answers. */
  accessLogFile: string;
  /** Source of its MPTCP support; `nothing` if net.mptcp.enabled is 0 in its namespace. */
  mptcpBy: 'nginx' | 'mptcpize' | 'nothing';
  /** The congestion control that its connections really use. */
  congestionControl: string;
  /** Requested settings that were not available, each with its fix. */
  notes: string[];
  tls?: ThrowawayTls;
  /** Control of the faults; present with `faulty`. */
  faults?: AnswerFaults;
  /** Restarts the film; present with `live`. */
  restartFilm?: () => void;
  /** Breaks its connections and refuses new ones, until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

async function readFeatures(options: MediaServerOptions): Promise<NginxFeatures> {
  const { stderr } = await tryCommand('nginx', ['-V']);
  const features = parseNginxVersion(stderr);
  if (features === undefined) {
    throw new LabError('SERVER_FAILED', `unexpected output of nginx -V: ${stderr.slice(0, 200)}`);
  }
  const lacks =
    options.tls !== undefined && !(features.hasTls && (features.hasHttp2 || !options.tls.http2));
  if (lacks) {
    throw new LabError(
      'SERVER_FAILED',
      `nginx ${features.version} is built without TLS or HTTP/2`,
      'install a fuller one: sudo apt-get install nginx-light',
    );
  }
  return features;
}

/** nginx answers correctly, and with complete files only. */
const isNode = ({ faulty, live }: MediaServerOptions): boolean =>
  faulty === true || live !== undefined;

/** The kernel refuses MPTCP sockets while MPTCP is off, so nginx must not request them. */
async function chooseMptcp(
  features: NginxFeatures,
  options: MediaServerOptions,
): Promise<MediaServer['mptcpBy']> {
  if (options.mptcp === false) return 'nothing';
  const enabled = await readSysctl(options.netns, 'net.mptcp.enabled').catch(() => '0');
  if (enabled !== '1') return 'nothing';
  return features.hasMultipath && !isNode(options) ? 'nginx' : 'mptcpize';
}

/** Sets the congestion control on the listener; every connection inherits it. */
async function applyCongestionControl(
  pid: number,
  options: MediaServerOptions,
): Promise<{ used: string; notes: string[] }> {
  const current = await readSysctl(options.netns, 'net.ipv4.tcp_congestion_control');
  const wanted = options.congestionControl ?? current;
  if (wanted === current) return { used: current, notes: [] };
  const tool = findOwnProgram('native/build/mpd-congestion');
  const result = tool === undefined ? undefined : await tryCommand(tool, [String(pid), wanted]);
  if (result?.exitCode === 0 && Number(result.stdout) > 0) return { used: wanted, notes: [] };
  const reason = result?.stderr.trim() ?? 'native/build/mpd-congestion is not built';
  // The kernel does not know the name.
  const isMissing = reason.includes('TCP_CONGESTION: No such file');
  const advice = isMissing ? `; run: sudo modprobe tcp_${wanted}` : '';
  return {
    used: current,
    notes: [`the server uses ${current}, not ${wanted}: ${reason}${advice}`],
  };
}

/**
 * Serves a folder with nginx over MPTCP: natively if nginx supports it, else under mptcpize. Resolves once
 * the server answers. `faulty` serves it with the faults of a timeline, `live` as an encoder writes it.
 * @throws LabError TOOL_MISSING, BAD_OPTION, SERVER_FAILED with nginx's message
 */
export async function startMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const built = await readFeatures(options);
  const mptcpBy = await chooseMptcp(built, options);
  const features = { ...built, hasMultipath: mptcpBy === 'nginx' };
  const preload = mptcpBy === 'mptcpize' ? await mptcpizeEnv() : {};
  const prefixDir = await mkdtemp(join(isInsideSandbox() ? SANDBOX_DIR : tmpdir(), 'nginx-'));
  const removePrefix = (): Promise<void> => rm(prefixDir, { recursive: true, force: true });
  try {
    await mkdir(join(prefixDir, 'logs'));
    const tls =
      options.tls === undefined ? undefined : await makeThrowawayTls(prefixDir, options.address);
    const accessLogFile = join(prefixDir, 'access.log');
    const configFile = join(prefixDir, 'nginx.conf');
    const config = nginxConfig(
      {
        prefixDir,
        rootDir: options.root,
        address: options.address,
        port: options.port,
        accessLogFile,
        etag: options.etag,
        ...(tls === undefined ? {} : { tls: { ...tls, http2: options.tls?.http2 === true } }),
      },
      features,
    );
    await writeFile(configFile, config);
    let control = { used: '', notes: [] as string[] };
    const onListen = async (pid: number): Promise<void> => {
      control = await applyCongestionControl(pid, options);
    };
    const origin =
      options.live === undefined
        ? undefined
        : await createLiveOrigin({ ...options.live, folder: options.root });
    const { netns } = options;
    const running: RunningServer = isNode(options)
      ? await startFaultyServer({ ...options, netns, env: preload, tls, origin, onListen })
      : await startNginx(options, ['nginx', '-p', prefixDir, '-c', configFile], preload, onListen);
    return {
      url: `${tls === undefined ? 'http' : 'https'}://${hostAndPort(options.address, options.port)}`,
      software: isNode(options) ? `Node ${process.version}` : `nginx ${features.version}`,
      accessLogFile,
      mptcpBy,
      congestionControl: control.used,
      notes: control.notes,
      ...(tls === undefined ? {} : { tls }),
      ...(running.faults === undefined ? {} : { faults: running.faults }),
      ...(origin === undefined ? {} : { restartFilm: () => origin.restart() }),
      down: running.down,
      up: running.up,
      get pid() {
        return running.pid();
      },
      stop: async () => {
        await running.down();
        await removePrefix();
      },
    };
  } catch (error) {
    await removePrefix();
    throw error;
  }
}

/** nginx in the server's namespace, which can be killed and started again. */
async function startNginx(
  options: MediaServerOptions,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  onListen: (pid: number) => Promise<void>,
): Promise<RunningServer> {
  let running: NginxProcess | undefined;
  const up = async (): Promise<void> => {
    if (running !== undefined) return;
    running = await launchNginx(options, argv, env);
    await onListen(running.pid);
  };
  await up();
  return {
    pid: () => running?.pid ?? 0,
    up,
    down: async () => {
      const ending = running;
      running = undefined;
      await ending?.stop();
    },
  };
}

interface RunningServer {
  pid: () => number;
  faults?: AnswerFaults;
  down: () => Promise<void>;
  up: () => Promise<void>;
}

interface NginxProcess {
  pid: number;
  stop(): Promise<void>;
}

async function launchNginx(
  options: MediaServerOptions,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<NginxProcess> {
  const [command, args] = inNetns(options.netns, argv);
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  let isStopping = false;
  let isReady = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  const failed = (): LabError => new LabError('SERVER_FAILED', `nginx ended: ${stderr.trim()}`);
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      stderr += error.message;
      resolve();
    });
    child.on('close', () => {
      if (isReady && !isStopping) options.onFailure?.(failed());
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    child.kill('SIGTERM');
    await ended;
  };
  const probing = inNetns(options.netns, [
    ...[process.execPath, '-e', PROBE_SCRIPT, options.address],
    ...[String(options.port), String(READY_TIMEOUT_MS)],
  ]);
  const probe = new AbortController();
  const answered = tryCommand(...probing, {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    signal: probe.signal,
  });
  const first = await Promise.race([answered, ended]);
  if (first === undefined) {
    answered.catch(() => undefined);
    probe.abort();
    throw failed();
  }
  if (first.exitCode !== 0 || child.exitCode !== null || child.pid === undefined) {
    await stop();
    throw new LabError('SERVER_FAILED', `nginx does not answer: ${stderr.trim()}`);
  }
  isReady = true;
  return { pid: child.pid, stop };
}
