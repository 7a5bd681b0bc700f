/** The tracks that a viewer prefers, and the keys that the viewer has. */
export interface MediaChoice {
  /** ClearKey: the key of each key ID, both as 32 hexadecimal digits. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** Language of the audio as a BCP 47 tag, such as `de`; default: the stream's own choice. */
  audioLanguage?: string | undefined;
  /** DASH role of the audio (ISO/IEC 23009-1, 5.8.5.5), such as `commentary`. */
  audioRole?: string | undefined;
  /** Language of the subtitles. */
  textLanguage?: string | undefined;
  /** DASH role of the subtitles, such as `caption`. */
  textRole?: string | undefined;
}
