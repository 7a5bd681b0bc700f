import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; html: string }[] }[];
}

/**
 * axe's violations of WCAG 2.2 AA and of its best practices, a line each. The library runs through the debugger,
 * so the page's content security policy stays unchanged.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, html }) => `${id}: ${help}: ${JSON.stringify(target)} ${html.slice(0, 160)}`,
    ),
  );
}
