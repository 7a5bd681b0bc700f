import { app } from 'electron';
import { systemMptcpProbe } from '../../kernel';
import { surviveLostOutput, warn } from '../../runner/host';
import { ArgsError, ownArguments, parseAppArgs, problemLine, USAGE, type AppArgs } from './args';
import { planLaunch, startMarked } from './mptcp-launch';
import { runApp } from './run-app';

function readArgs(): AppArgs | undefined {
  const appPath = app.isPackaged ? undefined : app.getAppPath();
  try {
    return parseAppArgs(ownArguments(process.argv, appPath), process.cwd());
  } catch (error) {
    if (!(error instanceof ArgsError)) throw error;
    process.stderr.write(`${problemLine(error)}\n`);
    return undefined;
  }
}

/** Runs this program once more, and ends with it and with its exit code. */
function startAgain(ldPreload: string | undefined): void {
  const child = startMarked({
    program: process.execPath,
    args: process.argv.slice(1),
    ldPreload,
    onExit: (code) => app.exit(code),
    ready: app.whenReady(),
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    child.kill('SIGTERM');
  });
}

// Electron's own handler shows a dialog, which nobody closes in an unattended run.
process.on('uncaughtException', (error) => {
  warn(error.stack ?? error.message);
  app.exit(1);
});

// Playback does not need its output: the reader of a pipe may have ended.
surviveLostOutput(process.stdout, { readerGone: 'go-on' });
surviveLostOutput(process.stderr, { readerGone: 'go-on' });

const args = readArgs();
if (args === undefined) {
  app.exit(2);
} else if (args.help || args.version) {
  process.stdout.write(`${args.help ? USAGE : app.getVersion()}\n`);
  app.exit(0);
} else {
  const plan = planLaunch(args.mptcp, process.env, systemMptcpProbe);
  if (plan.action === 'relaunch') {
    startAgain(plan.ldPreload);
  } else {
    runApp(args, plan.launch).catch((error: unknown) => {
      process.stderr.write(`multipath-dash: ${String(error)}\n`);
      app.exit(1);
    });
  }
}
