// Runs a program on a virtual display of its own. `xvfb-run` alone passes no signal on: it would end, and leave
// the program and the display. Here the program gets the signal, and `xvfb-run` then removes the display.
// Usage: node scripts/with-display.mjs PROGRAM [ARGUMENT...]
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Reports the process of the program, which the shell becomes. The program does not keep descriptor 3. */
const REPORT_PID = 'echo $$ >&3; exec 3>&- "$@"';

// A session of its own: Ctrl-C in a terminal reaches this process alone, so the program gets each signal once.
const display = spawn('xvfb-run', ['-a', 'sh', '-c', REPORT_PID, 'sh', ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  detached: true,
});
let program;
let early;
function pass(signal) {
  if (program === undefined) early ??= signal;
  else {
    try {
      process.kill(program, signal);
    } catch {
      // It has ended, and xvfb-run is about to.
    }
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal));
display.stdio[3].setEncoding('utf8').once('data', (text) => {
  program = Number(text);
  if (early !== undefined) pass(early);
});
display.once('error', (error) => {
  process.stderr.write(`cannot run xvfb-run: ${error.message}\n`);
  process.exit(1);
});
display.once('exit', (status, signal) => {
  process.exit(status ?? 128 + constants.signals[signal]);
});
