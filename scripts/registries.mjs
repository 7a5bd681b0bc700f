// Writes the lists of path policies, ABR rules and QoE metrics from the files that define them, and the link emulator's
// table of queue disciplines from the one of the scenario format.
// Usage: node scripts/registries.mjs
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { tsImport } from 'tsx/esm/api';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const NOTICE = '// Written by scripts/registries.mjs. Do not edit.\n';

/** The parts of each list: a folder of `src`, the exports to list, the type of an entry and the file to write. */
const lists = [
  { folder: 'policy', suffix: 'Policy', type: 'Policy', from: './policy', list: 'ownPolicies' },
  { folder: 'abr', suffix: 'Rule', type: 'AbrRule', from: './abr-rule', list: 'abrRules' },
  {
    folder: 'qoe',
    suffix: 'Metric',
    type: 'SessionMetric',
    from: './define-metric',
    list: 'oneFileMetrics',
  },
];

/** Content of every generated file, by its path from the root. */
export async function registries() {
  const files = new Map();
  const names = new Map();
  for (const { folder, suffix, type, from, list } of lists) {
    const found = definitions(path.join(root, 'src', folder), suffix);
    names.set(
      folder,
      found.map(({ name }) => name),
    );
    // These have a list of their own, `optional-policies.ts`, which the SDK loads on demand.
    const listed = found.filter(({ file }) => !/^paper\/|^single-best$/.test(file));
    const imports = listed.map(
      ({ constant, file }) => `import { ${constant} } from './${file}';\n`,
    );
    const entries = listed.map(({ constant }) => constant).join(', ');
    files.set(
      `src/${folder}/registry.generated.ts`,
      `${NOTICE}import type { ${type} } from '${from}';\n${imports.join('')}\n` +
        `/** All of them, by file name. */\nexport const ${list}: readonly ${type}[] = [${entries}];\n`,
    );
  }
  files.set(
    'src/core/names.generated.ts',
    `${NOTICE}\n/** Path policies: \`src/policy\`. */\n${nameList('POLICY_NAMES', names.get('policy'))}\n` +
      `/** The player's own ABR rules: \`src/abr\`. */\n${nameList('OWN_ABR_NAMES', names.get('abr'))}`,
  );
  const sources = [...files].map(async ([file, text]) => [file, await formatted(file, text)]);
  return Promise.all([...sources, queueTable()]);
}

/** The emulator's table of queue disciplines; each field of a row has the name that C++ gives it. */
async function queueTable() {
  const table = path.join(root, 'src/scenario/queue-disciplines.ts');
  const { QUEUE_DISCIPLINES, queueDiscipline } = await tsImport(table, import.meta.url);
  const kinds = QUEUE_DISCIPLINES.map((name) => `k${camelCase(`_${name}`)}`);
  const rows = QUEUE_DISCIPLINES.map((name, index) => {
    const { limit, settings } = queueDiscipline(name);
    const limits = ['bytes', 'packets'].filter((unit) => limit[unit] !== undefined);
    const written = limits.map((unit) => `.${unit} = ${limit[unit]}`).join(', ');
    const marks = settings.ecn !== undefined;
    return `    {QueueKind::${kinds[index]}, "${name}", {${written}}, ${marks}},\n`;
  });
  const text = `${NOTICE}// clang-format off
#pragma once

#include <string_view>

#include "queue_limit.h"

namespace mpd::link {

enum class QueueKind { ${kinds.join(', ')} };

/// A queue discipline, as src/scenario/queue-disciplines.ts has it.
struct QueueDiscipline {
  QueueKind kind;
  std::string_view name;
  /// Limits of a queue for which neither bytes nor packets are given.
  QueueLimit limit;
  /// It can mark packets of ECN senders.
  bool marks;
};

inline constexpr QueueDiscipline kQueueDisciplines[] = {
${rows.join('')}};

}  // namespace mpd::link
`;
  return ['native/link/src/queue_table.generated.h', text];
}

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

async function formatted(file, text) {
  return format(text, { ...(await resolveConfig(path.join(root, file))), parser: 'typescript' });
}

/** Exported constants that end with `suffix`, and the `name` that each of them gives. */
function definitions(folder, suffix) {
  const pattern = new RegExp(
    `^export const (\\w+${suffix}) = \\w+(?:<[^(]*>)?\\(\\{\\s*name: '([^']+)'`,
    'gm',
  );
  /** Such a constant in any form; without a name it would be in no list. */
  const called = new RegExp(`^export const (\\w+${suffix}) = define\\w+(?:<[^(]*>)?\\(`, 'gm');
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\.generated\.ts$|testing\//.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const found = [...text.matchAll(pattern)];
      const [lost] = [...text.matchAll(called)].filter(
        ([, constant]) => !found.some(([, one]) => one === constant),
      );
      if (lost) {
        throw new Error(
          `${path.join(folder, file)}: \`name: '...'\` must be the first field of ${lost[1]}`,
        );
      }
      return found.map(([, constant, name]) => ({
        constant,
        name,
        file: file.slice(0, -'.ts'.length),
      }));
    });
}

function nameList(constant, names) {
  return `export const ${constant} = [${names.map((name) => `'${name}'`).join(', ')}] as const;\n`;
}

/** Writes the files that are out of date. */
async function writeRegistries() {
  for (const [file, text] of await registries()) {
    const full = path.join(root, file);
    if (!existsSync(full) || readFileSync(full, 'utf8') !== text) writeFileSync(full, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeRegistries();
