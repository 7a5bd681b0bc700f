import { withoutCmcd } from '../../ipc';

/** Tries without an answer, 1 s apart; dash.js ends playback after 30. Chosen; no measurement. */
const SILENT_TRIES = 20;
/** Tries of a file that the server refuses: a live one may still be written. */
const REFUSED_TRIES = 3;

/**
 * Counts the files of subtitles that cannot be fetched. dash.js by itself ends playback for one of them.
 * @returns a function that takes each answer, with its status or 0, and returns the number of files in a row that are
 * missing, with this one; 0: it is here, or dash.js tries again
 */
export function countMissing(): (url: string, status: number) => number {
  let asked = '';
  let tries = 0;
  let missing = 0;
  return (address, status) => {
    // CMCD differs with each try.
    const url = withoutCmcd(address);
    const isGood = status > 0 && status < 400;
    if (isGood) missing = 0;
    tries = url === asked ? tries + 1 : 1;
    asked = isGood ? '' : url;
    if (isGood || tries < (status ? REFUSED_TRIES : SILENT_TRIES)) return 0;
    asked = '';
    return (missing += 1);
  };
}
