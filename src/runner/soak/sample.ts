import type { AgentFigures } from './player-process';
import type { PageFigures } from './player-page';
import type { ProcessFigures, SoakRole } from './processes';

/** One reading of everything. */
export interface SoakSample {
  /** Time since the page opened. */
  atMs: number;
  processes: Partial<Record<SoakRole, ProcessFigures>>;
  agent?: AgentFigures;
  page?: PageFigures;
  /** Size of all logs of the run. */
  logBytes: number;
}
