import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { campaign, ofParts } from '../../e2e/faults/campaign';

const cell = (text) => text.replaceAll('|', '\\|');

/** docs/faults.md */
async function page() {
  const shownBy = ({ file, title }) => `\`${file}\` "${title}"`;
  const line = (...cells) => `| ${cells.map(cell).join(' | ')} |`;
  const rows = campaign.map(({ name, injects, expects, profile, test }) =>
    line(name, injects, expects, profile, shownBy(test)),
  );
  const parts = ofParts.map(({ name, injects, expects, test }) =>
    line(name, injects, expects, shownBy(test)),
  );
  const text = `# Faults

The fault campaign: the injection of each fault, and its effect for the viewer. This page is made from
\`e2e/faults/campaign.ts\` (\`npx vitest run -u --project unit scripts/test/faults\`).

\`npm run e2e -- faults\` plays the sessions of the profile \`test\`, which are part of \`npm test\`. \`npm run faults\` runs
every test of the table; \`-- --profile nightly\` adds the rows \`nightly\`, \`--times 3\` repeats, \`--load\` keeps every
processor busy. Each test of the first table checks three things. The viewer's experience is as the row states. The log is
complete to its last line. No process, namespace, endpoint, rule, route or file is left over.

The sessions are scenarios: \`multipath-dash lab run scenarios/faults/paths.yaml\` plays one, and \`events\` of any scenario
inject the same faults (scenarios/README.md).

| Fault | Injected | The viewer | Profile | Test |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

Faults of a part alone, without a viewer:

| Fault | Injected | The part | Test |
| --- | --- | --- | --- |
${parts.join('\n')}
`;
  const file = path.resolve('docs/faults.md');
  return format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
}

it('the table of the fault campaign is the documentation', async () => {
  await expect(await page()).toMatchFileSnapshot(path.resolve('docs/faults.md'));
});

it('every fault has its own name and an existing test', () => {
  const names = campaign.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const { name, profile = 'test', test } of [...campaign, ...ofParts]) {
    expect(existsSync(test.file), test.file).toBe(true);
    // The tests of the sessions take their titles from the table.
    if (test.file === 'e2e/faults/sessions.spec.ts') continue;
    const [, after] = readFileSync(test.file, 'utf8').split(test.title, 2);
    expect(after, name).toBeDefined();
    expect(/^['"`],\s*nightly\b/.test(after ?? '') ? 'nightly' : 'test', name).toBe(profile);
  }
});
