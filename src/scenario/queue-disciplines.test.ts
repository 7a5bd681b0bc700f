import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QUEUE_DISCIPLINES, QUEUE_SETTINGS, queueDiscipline, queueLimit } from '.';

test.each(QUEUE_DISCIPLINES)('%s has a finite limit and only known settings', (discipline) => {
  const { bytes, packets } = queueLimit({ discipline }, undefined);
  expect(Math.min(bytes, packets)).toBeLessThan(Infinity);
  expect(queueLimit({ discipline, limitPackets: 7 }, undefined)).toEqual({
    bytes: Infinity,
    packets: 7,
  });
  const read = Object.keys(queueDiscipline(discipline).settings);
  expect(Object.keys(QUEUE_SETTINGS)).toEqual(expect.arrayContaining(read));
});

test('the guides name every discipline and setting', () => {
  const scenarios = readFileSync('scenarios/README.md', 'utf8');
  const emulator = readFileSync('native/link/README.md', 'utf8');
  for (const name of QUEUE_DISCIPLINES) {
    expect(scenarios, 'scenarios/README.md').toContain(`\`${name}\``);
    expect(emulator, 'native/link/README.md').toContain(`\`${name}\``);
  }
  for (const { written, argument } of Object.values(QUEUE_SETTINGS)) {
    expect(scenarios, 'scenarios/README.md').toMatch(
      new RegExp(`discipline, limit, packets,.*\\b${written}\\b`),
    );
    expect(emulator, 'native/link/README.md').toContain(`\`${argument}\``);
  }
});
