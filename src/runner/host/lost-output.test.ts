import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { surviveLostOutput, type LostOutputOptions } from './lost-output';

describe('surviveLostOutput', () => {
  const watch = (options: LostOutputOptions = {}) => {
    const stream = new PassThrough();
    const program = Object.assign(new EventEmitter(), {
      exitCode: undefined as number | undefined,
      exit: vi.fn(),
    });
    surviveLostOutput(stream as never, { ...options, program: program as never });
    const fail = (code: string): boolean =>
      stream.emit('error', Object.assign(new Error(`write ${code}`), { code }));
    return { program, fail };
  };

  it('exits silently if the reader has gone', () => {
    const { program, fail } = watch();
    fail('EPIPE');
    expect(program.exit).toHaveBeenCalledWith(0);
  });

  it('lets a player go on without its reader, with the same status', () => {
    const { program, fail } = watch({ readerGone: 'go-on' });
    fail('EPIPE');
    fail('EPIPE');
    program.emit('exit', 0);
    expect(program.exit).not.toHaveBeenCalled();
    expect(program.exitCode).toBeUndefined();
  });

  it('goes on while the disk behind its output is full, and ends with a status other than 0', () => {
    const { program, fail } = watch();
    fail('ENOSPC');
    fail('ENOSPC');
    expect(program.exit).not.toHaveBeenCalled();
    program.emit('exit', 0);
    expect(program.exitCode).toBe(1);
  });
});
