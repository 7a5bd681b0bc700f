import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostAndPort } from '../nginx-config';
import { pcmaTone } from './pcma-tone';
import type { TrafficPieces, TrafficSite } from './pieces';
import { Program } from './program';
import { takePort, waitUntilListening } from './readiness';
import { parseRtpMirror, RTP_MIRROR_SCRIPT } from './rtp-mirror';
import { parseSippStatistics } from './sipp-output';
import { calleeScenario, callerScenario, portLines } from './sipp-scenarios';

/** SIP's port (RFC 3261, section 18.1.1) for the callee, another one for the caller. */
const CALLEE_PORT = 5060;
const CALLER_PORT = 5160;
/** SIPp opens two even ports for media even if it does not use them. */
const MEDIA_SHAPE = { count: 2, step: 4 };
/** First ports for RTP, far enough apart that their ranges do not meet. */
const CALLEE_MEDIA_PORT = 6000;
const MIRROR_PORT = 7000;
const CALLER_MEDIA_PORT = 8000;
/** Media ports of the callee; more concurrent calls share them. */
const MAX_MIRROR_PORTS = 128;
/** The tone's length, which SIPp repeats, and the RTP clock of PCMA (RFC 3551). */
const TONE_SECONDS = 2;
const CLOCK_HZ = 8_000;

/**
 * Calls, at most `intensity` at a time: SIPp at both ends, PCMA both ways, loss and jitter measured at the
 * callee. SIPp (3.6) sends the media of all calls from one port. By default each call goes to another port,
 * so that it is a flow of its own, like the calls of different people; with `ports: one` all go to one.
 */
export async function startVoip(site: TrafficSite): Promise<TrafficPieces> {
  const { spec, fromNetns, toNetns, fromAddress, toAddress } = site;
  const { calls } = spec;
  if (calls === undefined) throw new RangeError(`${spec.id} has no calls`);
  const mirrorCount = calls.ports === 'one' ? 1 : Math.min(spec.intensity, MAX_MIRROR_PORTS);
  const mirrorPort = await takePort(toNetns, 'udp', MIRROR_PORT, { count: mirrorCount, step: 4 });
  const mirrorPorts = Array.from(
    { length: mirrorCount },
    (_, index) => mirrorPort.port + index * 2,
  );
  const calleePort = await takePort(toNetns, 'udp', CALLEE_PORT);
  const calleeMedia = await takePort(toNetns, 'udp', CALLEE_MEDIA_PORT, MEDIA_SHAPE);
  const callerPort = await takePort(fromNetns, 'udp', CALLER_PORT);
  const callerMedia = await takePort(fromNetns, 'udp', CALLER_MEDIA_PORT, MEDIA_SHAPE);
  const file = (name: string): string => `${site.prefix}.${name}`;
  await writeFile(join(site.dir, file('tone.alaw')), pcmaTone(TONE_SECONDS));
  await writeFile(
    join(site.dir, file('caller.xml')),
    callerScenario(file('tone.alaw'), calls.holdMs),
  );
  await writeFile(join(site.dir, file('callee.xml')), calleeScenario());
  await writeFile(join(site.dir, file('ports.csv')), portLines(mirrorPorts));
  const sipp = (
    who: 'caller' | 'callee',
    address: string,
    port: number,
    media: number,
  ): string[] => [
    ...['-sf', file(`${who}.xml`), '-i', address, '-p', String(port)],
    ...['-mi', address, '-mp', String(media), '-nostdin'],
    ...['-trace_stat', '-stf', file(`${who}.csv`), '-fd', '1'],
    ...['-trace_err', '-error_file', file(`${who}.log`)],
  ];
  const programs: Program[] = [];
  const start = async (
    name: string,
    netns: string | undefined,
    argv: string[],
    hasScreens: boolean,
  ): Promise<Program> => {
    const options = { dir: site.dir, cwd: site.dir, name: file(name), netns, argv, hasScreens };
    const program = await Program.start(options, site.onEarlyEnd);
    programs.unshift(program);
    return program;
  };
  try {
    const mirrorArgv = [process.execPath, '-e', RTP_MIRROR_SCRIPT, toAddress];
    const mirror = await start(
      'rtp',
      toNetns,
      [...mirrorArgv, String(CLOCK_HZ), ...mirrorPorts.map(String)],
      false,
    );
    const callee = await start(
      'callee',
      toNetns,
      [
        ...['sipp', ...sipp('callee', toAddress, calleePort.port, calleeMedia.port)],
        ...['-inf', file('ports.csv')],
      ],
      true,
    );
    for (const port of mirrorPorts) await waitUntilListening(mirror, toNetns, 'udp', port);
    await waitUntilListening(callee, toNetns, 'udp', calleePort.port);
    await start(
      'caller',
      fromNetns,
      [
        ...['sipp', hostAndPort(toAddress, calleePort.port)],
        ...sipp('caller', fromAddress, callerPort.port, callerMedia.port),
        ...['-l', String(spec.intensity), '-r', String(calls.perSecond)],
      ],
      true,
    );
    return {
      program: 'sipp',
      programs,
      read: async () => {
        const statistics = parseSippStatistics(
          await readFile(join(site.dir, file('caller.csv')), 'utf8'),
        );
        const rtp = parseRtpMirror(
          await readFile(mirror.outFile, 'utf8'),
          statistics.started - statistics.failed,
        );
        if (rtp === undefined) return { calls: statistics };
        const { goodputBps, lossRatio, jitterMs } = rtp;
        return { calls: statistics, goodputBps, rtp: { lossRatio, jitterMs } };
      },
    };
  } catch (error) {
    for (const program of programs) await program.stop();
    throw error;
  } finally {
    for (const taken of [mirrorPort, calleePort, calleeMedia, callerPort, callerMedia])
      taken.release();
  }
}
