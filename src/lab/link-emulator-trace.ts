import { readFile, stat } from 'node:fs/promises';
import {
  parseTrace,
  TraceError,
  TRACE_FORMATS,
  type TraceOptions,
  type TraceStep,
} from '../scenario';
import { LabError } from './errors';

const MAX_FILE_BYTES = 64e6;

function refuse(file: string, message: string): never {
  throw new LabError('BAD_TRACE', `${file}, line 1, file: ${message}`, TRACE_FORMATS);
}

/**
 * Reads a trace file.
 * @throws LabError BAD_TRACE naming file, line and field
 */
export async function readTrace(file: string, options: TraceOptions = {}): Promise<TraceStep[]> {
  const size = await stat(file).then(
    (found) => found.size,
    (error: unknown) => refuse(file, String(error)),
  );
  if (size > MAX_FILE_BYTES) refuse(file, `it has ${String(size)} bytes`);
  const text = await readFile(file, 'utf8');
  try {
    return parseTrace(text, file, options);
  } catch (error) {
    if (error instanceof TraceError) throw new LabError('BAD_TRACE', error.message);
    throw error;
  }
}
