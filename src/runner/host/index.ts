export { findBrowser } from './browser';
export { chromiumType, commandLineOf } from './command-line';
export { hasDisplay } from './display';
export { findElectron } from './electron-runtime';
export { INTERRUPTED_STATUS, interruptible, unlessInterrupted } from './interrupt';
export { lastLine } from './last-line';
export { proxyOfVariables } from './proxy-variables';
export { surviveLostOutput } from './lost-output';
export { playedMachineFacts } from './machine-facts';
export { mediaProgress } from './media-progress';
export { carriageEnv, mptcpEnv } from './mptcp-env';
export {
  checkJsonFile,
  decisionLines,
  recordText,
  summaryLines,
  writeJson,
  writeJsonText,
} from './output';
export { ownProgram } from './own-program';
export { packageRoot } from './package-root';
export { forTerminal } from './terminal-markdown';
export { claimRunDir, defaultRunDir, makeOutFolder, OUT_DIR_VARIABLE } from './run-dir';
export { jsonText, print, shellWord, warn } from './terminal';
export { terminalSize } from './terminal-size';
export { exitStatusOf } from '../../lab';
export { UserError } from './user-error';
export { TRUSTED_UID_VARIABLE, usersBehindRoot } from './users-behind-root';
export { writeWhole } from './write-whole';
