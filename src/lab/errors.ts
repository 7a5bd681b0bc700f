/** Causes of the lab's errors; stable for programs. */
export type LabErrorCode =
  | 'SANDBOX_REFUSED'
  | 'SANDBOX_MISSING'
  | 'TOOL_MISSING'
  | 'TUN_UNAVAILABLE'
  | 'MODULE_MISSING'
  | 'MPTCP_MISSING'
  | 'BPF_MISSING'
  | 'EMULATOR_MISSING'
  | 'EMULATOR_FAILED'
  | 'COMMAND_FAILED'
  | 'MEDIA_FAILED'
  | 'SERVER_FAILED'
  | 'TRAFFIC_FAILED'
  | 'BAD_TRACE'
  | 'BAD_OPTION';

/** Every error the lab throws deliberately. `fix` is the command or change that solves it. */
export class LabError extends Error {
  readonly code: LabErrorCode;
  readonly fix: string | undefined;

  constructor(code: LabErrorCode, message: string, fix?: string) {
    super(fix === undefined ? message : `${message}\n  ${fix}`);
    this.name = 'LabError';
    this.code = code;
    this.fix = fix;
  }
}
