export interface LostOutputOptions {
  /** When the reader closes the pipe (`| head`): `end` the program in order and silently, or `go-on`. Default: `end`. */
  readerGone?: 'end' | 'go-on';
  program?: Pick<NodeJS.Process, 'exit' | 'exitCode' | 'once'>;
}

/**
 * Keeps a program alive whose output cannot be written. On a full disk it goes on, because its work is not the text. Its
 * status is then not 0. After the end of the reader a command ends; a player goes on, with an unchanged status.
 */
export function surviveLostOutput(
  stream: NodeJS.WriteStream,
  { readerGone = 'end', program = process }: LostOutputOptions = {},
): void {
  let isLost = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      if (readerGone === 'end') program.exit(program.exitCode ?? 0);
      return;
    }
    if (isLost) return;
    isLost = true;
    program.once('exit', (status) => {
      if (status === 0) program.exitCode = 1;
    });
  });
}
