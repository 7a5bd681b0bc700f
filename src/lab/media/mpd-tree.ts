import sax from 'sax';
import { LabError } from '../errors';

/** One element of an MPD, without namespace prefixes. */
export interface MpdElement {
  name: string;
  /** Line in the file, from 1. */
  line: number;
  attributes: Readonly<Record<string, string>>;
  children: MpdElement[];
  text: string;
}

/**
 * Parses a whole XML document.
 * @param file for errors
 * @returns the MPD element
 * @throws LabError MEDIA_FAILED with file and line
 */
export function readMpdTree(text: string, file: string): MpdElement {
  const root: MpdElement = { name: '', line: 0, attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = sax.parser(true, { trim: true, position: true });
  parser.onopentag = ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, value]) => [key, String(value)] as const);
    const element: MpdElement = {
      name: name.replace(/^.*:/, ''),
      line: parser.line + 1,
      attributes: Object.fromEntries(values),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  parser.ontext = (value) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += value;
  };
  parser.onclosetag = () => void open.pop();
  parser.onerror = (error) => {
    const [reason = 'not XML'] = error.message.split('\n');
    throw new LabError('MEDIA_FAILED', `${file}:${parser.line + 1}: ${reason}`);
  };
  parser.write(text).close();
  const [mpd] = root.children;
  if (mpd?.name !== 'MPD') {
    throw new LabError('MEDIA_FAILED', `${file}: no MPD: it begins with ${mpd?.name ?? 'nothing'}`);
  }
  return mpd;
}
