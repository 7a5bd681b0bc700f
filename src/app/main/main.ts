import { app } from 'electron';
import { ArgsError, ownArguments, parseAppArgs, usage, type AppArgs } from './args';
import { planLaunch, relaunch, systemProbe } from './mptcp-launch';
import { runApp } from './run-app';

function readArgs(): AppArgs | undefined {
  const appPath = app.isPackaged ? undefined : app.getAppPath();
  try {
    return parseAppArgs(ownArguments(process.argv, appPath), process.cwd());
  } catch (error) {
    if (!(error instanceof ArgsError)) throw error;
    process.stderr.write(`multipath-dash: ${error.message}\n\n${usage}\n`);
    return undefined;
  }
}

// Electron's own handler shows a dialog, which nobody closes in an unattended run.
process.on('uncaughtException', (error) => {
  process.stderr.write(`multipath-dash: ${error.stack ?? error.message}\n`);
  app.exit(1);
});

const args = readArgs();
if (args === undefined) {
  app.exit(2);
} else if (args.help) {
  process.stdout.write(`${usage}\n`);
  app.exit(0);
} else {
  const plan = planLaunch(args.mptcp, process.env, systemProbe);
  if (plan.action === 'relaunch') {
    relaunch(plan.ldPreload, (code) => app.exit(code));
  } else {
    runApp(args, plan.launch).catch((error: unknown) => {
      process.stderr.write(`multipath-dash: ${String(error)}\n`);
      app.exit(1);
    });
  }
}
