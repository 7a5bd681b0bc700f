// Runs in the virtual machine of link-kernel.mjs. It measures one link after another, each under bulk TCP with
// a ping beside it. The lab's kernel backend or the emulator makes them from the same options.
import { tsImport } from 'tsx/esm/api';

const load = (file) => tsImport(`../../src/lab/${file}`, import.meta.url);
const { kernelLinkCommands } = await load('link-kernel-plan.ts');
const { linkCommand } = await load('emulator-protocol-commands.ts');

/** Kernel modules in the order in which they depend on each other. */
export const MODULES = [
  ...['tun', 'veth', 'sch_tbf', 'sch_netem', 'sch_codel', 'sch_pie', 'sch_fq_pie'],
];
export const BULK_FLOWS = 2;
export const OMIT_SECONDS = 5;
const SAMPLE_SECONDS = 0.2;
const NETNS = '/run/netns/b';
/** Programs are called by their paths: busybox's shell prefers its own applets to programs of the same name. */
const IP = '/usr/bin/ip';
const PATHS = { ip: IP, tc: '/usr/bin/tc' };
const inB = `nsenter --net=${NETNS}`;

const START = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/usr/bin:/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmpfs /run
mkdir -p /run/netns /tmp
echo 0 > /proc/sys/kernel/printk
${MODULES.map((name) => `insmod /modules/${name}.ko || echo "@@ error no module ${name}"`).join('\n')}
${IP} link set lo up
sysctl -qw net.ipv4.tcp_no_metrics_save=1
mkfifo /commands
echo "@@ start $(uname -r)"
`;

function linkOptions({ rateBps, delayMs, queue, queueBytes }) {
  return {
    name: 'k0',
    a: { device: 'k0', address: '10.9.0.1/24' },
    b: { netns: NETNS, device: 'k0', address: '10.9.0.2/24' },
    seed: 1,
    rateBps,
    delayMs,
    lossRatio: 0,
    queue,
    ...(queueBytes === undefined ? {} : { queueBytes }),
    ba: { rateBps: null, queue: { discipline: 'droptail' }, queueBytes: 10_000_000 },
  };
}

function setUp(backend, options) {
  if (backend === 'emulator') {
    return `mpd-link < /commands > /emulator.out 2>&1 &
exec 3> /commands
echo '${linkCommand(options).trim()}' >&3
sleep 0.5
grep -q '"ok":true' /emulator.out || echo "@@ error $(cat /emulator.out)"`;
  }
  return kernelLinkCommands(options, 0)
    .map(({ netns, argv: [program, ...args] }) => ({ netns, argv: [PATHS[program], ...args] }))
    .map(({ netns, argv }) => (netns === undefined ? argv : ['nsenter', `--net=${netns}`, ...argv]))
    .map((argv) => `${argv.join(' ')} || echo "@@ error ${argv.join(' ')}"`)
    .join('\n');
}

function tearDown(backend) {
  if (backend === 'kernel') return `${IP} link delete k0`;
  return 'exec 3>&-\nwait $!';
}

function trial(index, { backend, seconds, ...link }) {
  const pings = Math.ceil((seconds + OMIT_SECONDS) / SAMPLE_SECONDS);
  return `echo "@@ trial ${index}"
${IP} netns add b
${inB} ${IP} link set lo up
${inB} sysctl -qw net.ipv4.tcp_no_metrics_save=1
${setUp(backend, linkOptions(link))}
sleep 0.5
${inB} iperf3 -s -1 > /dev/null &
server=$!
sleep 0.5
ping -i ${SAMPLE_SECONDS} -c ${pings} 10.9.0.2 > /ping.out &
pinger=$!
iperf3 -c 10.9.0.2 -P ${BULK_FLOWS} -C cubic -O ${OMIT_SECONDS} -t ${seconds} -i ${SAMPLE_SECONDS} -J > /iperf.out
wait $pinger; wait $server
grep bits_per_second /iperf.out | tail -1
grep '"rtt":' /iperf.out | tr -d '\\t\\n'; echo
grep -o 'time=[0-9.]*' /ping.out | tr '\\n' ' '; echo
grep error /iperf.out
${tearDown(backend).replace('$!', '$emulator')}
${IP} netns delete b
`.replace('2>&1 &\n', '2>&1 &\nemulator=$!\n');
}

/** @param trials [{ backend, seconds, rateBps, delayMs, queue, queueBytes? }] @returns a script to be run as init */
export function guestScript(trials) {
  return `${START}${trials.map((each, index) => trial(index, each)).join('\n')}
echo "@@ end"
poweroff -f
`;
}

/**
 * The trials in the output of the machine.
 * @throws Error if a part of it failed
 */
export function parseConsole(text, baseRttMs) {
  const failure = /^@@ error .*$/m.exec(text)?.[0];
  if (failure !== undefined) throw new Error(failure.slice(9));
  if (!text.includes('@@ end')) throw new Error(`the machine stopped early:\n${text.slice(-2000)}`);
  return text
    .split(/^@@ trial \d+\r?$/m)
    .slice(1)
    .map((part) => {
      const error = /"error":.*/.exec(part)?.[0];
      if (error !== undefined) throw new Error(`iperf3: ${error}`);
      const rtts = [...part.matchAll(/"rtt":(\d+)/g)].map((match) => Number(match[1]) / 1000);
      const pings = [...part.matchAll(/time=([\d.]+)/g)].map((match) => Number(match[1]));
      const skipped = OMIT_SECONDS / SAMPLE_SECONDS;
      const toDelay = (rttMs) => rttMs - baseRttMs;
      return {
        goodputMbit: Number(/"bits_per_second":\s*([\d.e+]+)/.exec(part)?.[1]) / 1e6,
        bulkDelaysMs: rtts.slice(skipped * BULK_FLOWS).map(toDelay),
        lightDelaysMs: pings.slice(skipped).map(toDelay),
      };
    });
}
