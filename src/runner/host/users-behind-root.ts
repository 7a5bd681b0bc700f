/** A user whose files are trusted as one's own, as in a container with a mounted folder. */
export const TRUSTED_UID_VARIABLE = 'MULTIPATH_DASH_TRUSTED_UID';

const VARIABLES = ['SUDO_UID', 'PKEXEC_UID', TRUSTED_UID_VARIABLE];

/** The user who called sudo or pkexec, and the one whom `MULTIPATH_DASH_TRUSTED_UID` names. */
export function usersBehindRoot(): number[] {
  return VARIABLES.flatMap((name) => {
    const text = process.env[name] ?? '';
    return /^\d+$/.test(text) ? [Number(text)] : [];
  });
}
