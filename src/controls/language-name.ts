/** BCP 47: undetermined. Packagers write it where no language is given. */
const UNKNOWN = 'und';

/** The name of a language in itself, with a capital: `de` is "Deutsch". A malformed tag stays unchanged. */
export function languageName(tag: string): string {
  if (tag === UNKNOWN) return 'Unknown language';
  try {
    const name = new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}
