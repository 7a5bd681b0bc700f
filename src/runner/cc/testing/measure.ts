// Inside a sandbox: `measure.ts experiment cc-run JOB`, as the command has it.
import { measureInside } from '../measure-inside';

void measureInside(process.argv.at(-1) ?? '').catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
