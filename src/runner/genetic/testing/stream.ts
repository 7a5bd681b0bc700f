// `stream.ts experiment genetic-run JOB` inside a sandbox, and `genetic-viewer REQUEST`, as the commands have it.
import { streamInside } from '../stream-inside';
import { watchInside } from '../watch-film';

const [command, text = ''] = process.argv.slice(-2);
const program = [process.execPath, ...process.execArgv, import.meta.filename];

const run = command === 'genetic-run' ? streamInside(text, program) : watchInside(text);
void run.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
