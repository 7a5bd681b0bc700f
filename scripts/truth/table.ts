import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { isWithin, type Section, type TruthRow } from './rows';

/** Pictures of the truth table, beside those of the experiments. */
const FIGURES = path.resolve(import.meta.dirname, '../../docs/experiments/figures');

const number = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);

function bound({ boundRatio, boundDifference, unit }: TruthRow): string {
  const parts: string[] = [];
  if (boundRatio !== undefined) parts.push(`${boundRatio * 100} %`);
  if (boundDifference !== undefined) parts.push(`${boundDifference} ${unit}`.trim());
  return parts.length === 0 ? 'none' : parts.join(' or ');
}

function verdict(row: TruthRow): string {
  const within = isWithin(row);
  return within === undefined ? 'reported' : within ? 'yes' : '**no**';
}

/** A section as a Markdown table, then its pictures. @param links from the page to the folder of the pictures */
export function renderSection(section: Section, links = path.basename(FIGURES)): string {
  const lines = [
    `**${section.title}.**`,
    '',
    '| case | truth | simulator | ratio | bound | kept | |',
    '|---|---|---|---|---|---|---|',
    ...section.rows.map((row) =>
      [
        '',
        row.what,
        `${number(row.truth)} ${row.unit}`.trim(),
        `${number(row.simulated)} ${row.unit}`.trim(),
        row.truth === 0 ? '' : (row.simulated / row.truth).toFixed(2),
        bound(row),
        verdict(row),
        row.note ?? '',
        '',
      ].join(' | '),
    ),
    ...(section.refused ?? []).map(
      ({ what, reason }) => `| ${what} |  |  |  |  | not run | ${reason.replaceAll('\n', ' ')} |`,
    ),
    ...(section.pictures ?? []).flatMap(({ name, title }) => [
      '',
      `![${title}](${links}/${name}.svg)`,
    ]),
  ];
  return lines.join('\n');
}

/**
 * Writes a section between its two markers in a file, and its pictures.
 * @throws Error if the markers are missing
 */
export async function writeSection(file: string, section: Section): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const begin = `<!-- truth ${section.name} -->`;
  const end = `<!-- /truth ${section.name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file}: no markers ${begin} and ${end}`);
  for (const { name, svg } of section.pictures ?? []) {
    writeFileSync(path.join(FIGURES, `${name}.svg`), svg);
  }
  const links = path.relative(path.dirname(file), FIGURES);
  const written = `${text.slice(0, from + begin.length)}\n\n${renderSection(section, links)}\n\n${text.slice(to)}`;
  writeFileSync(
    file,
    await format(written, { parser: 'markdown', printWidth: 120, proseWrap: 'preserve' }),
  );
}
