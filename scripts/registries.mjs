// Writes the lists of path policies, ABR rules and QoE metrics from the files that define them.
// Writes the link emulator's table of queue disciplines from that of the scenario format.
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

/** The emulator's table of queue disciplines and their settings. */
async function queueTable() {
  const load = (file) => tsImport(path.join(root, 'src/scenario', file), import.meta.url);
  const { QUEUE_DISCIPLINES, queueDiscipline, queueSettingEntries } =
    await load('queue-disciplines.ts');
  const { readQuantity } = await load('quantity.ts');
  const constant = (name) =>
    `k${name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}`;
  const list = (rows) => rows.map((row) => `    ${row},\n`).join('');

  const settings = queueSettingEntries.map(([field, { written, argument, values }]) => {
    const { kind, min = 0, max = 1 } = values;
    // The emulator's times are integers in microseconds.
    const scale = kind === 'time' ? 1000 : 1;
    const bounds = [min, max].map((bound) =>
      typeof bound === 'string' ? readQuantity(bound).value * scale : bound,
    );
    const name = constant(written);
    const row = `{QueueSetting::${name}, "${field}", "${argument}", SettingKind::${constant(kind)}, ${bounds.join(', ')}}`;
    return { field, kind, row, name };
  });
  const disciplines = QUEUE_DISCIPLINES.map((name) => {
    const { limit, settings: defaults } = queueDiscipline(name);
    const limits = ['bytes', 'packets'].filter((unit) => limit[unit] !== undefined);
    const written = limits.map((unit) => `.${unit} = ${limit[unit]}`).join(', ');
    const values = settings.map(({ field, kind }) => {
      const value = defaults[field];
      if (value === undefined) return 'kNotRead';
      return kind === 'time' ? value * 1e6 : Number(value);
    });
    const kind = constant(name);
    const row = `{QueueKind::${kind}, "${name}", {${written}}, {${values.join(', ')}}}`;
    return { name: kind, row };
  });

  const text = `${NOTICE}// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "queue_limit.h"

/// The queue disciplines and their settings, as src/scenario/queue-disciplines.ts has them.
namespace mpd::link {

enum class QueueKind : std::uint8_t { ${disciplines.map(({ name }) => name).join(', ')} };
enum class QueueSetting : std::uint8_t { ${settings.map(({ name }) => name).join(', ')} };
inline constexpr std::size_t kQueueSettingCount = ${settings.length};

/// A value for each setting: times in ns, sizes in bytes, a flag as 0 or 1.
using QueueSettings = std::array<std::optional<double>, kQueueSettingCount>;
inline constexpr std::optional<double> kNotRead;

enum class SettingKind : std::uint8_t { kTime, kSize, kCount, kRatio, kFlag };
struct QueueSettingRow {
  QueueSetting setting;
  /// In the vectors.
  std::string_view field;
  /// On a command line.
  std::string_view argument;
  SettingKind kind;
  /// Bounds of the argument; a time in us.
  std::uint64_t min;
  std::uint64_t max;
};
/// In the order of \`QueueSetting\`.
inline constexpr QueueSettingRow kQueueSettings[] = {
${list(settings.map(({ row }) => row))}};

struct QueueDiscipline {
  QueueKind kind;
  std::string_view name;
  /// Limits of a queue for which neither bytes nor packets are given.
  QueueLimit limit;
  /// Defaults of the settings that it reads.
  QueueSettings settings;
};
/// In the order of \`QueueKind\`.
inline constexpr QueueDiscipline kQueueDisciplines[] = {
${list(disciplines.map(({ row }) => row))}};

}  // namespace mpd::link
`;
  return ['native/link/src/queue_table.generated.h', text];
}

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
