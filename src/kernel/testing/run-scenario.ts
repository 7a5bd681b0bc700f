import process from 'node:process';

/** Runs a scenario and ends its process; an error goes to standard error. */
export function runScenario(main: () => Promise<void>): void {
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
      process.exit(1);
    },
  );
}
