import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { ROOT } from './workplace.ts';

const axeSource = readFile(join(ROOT, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** Problems that axe finds on the page, or in a part of it, each with the elements that have it. */
export async function findings(page: Page, part?: Locator, options: RunOptions = {}): Promise<readonly string[]> {
  await page.evaluate(await axeSource);
  const { violations } = await (part ?? page.locator('html')).evaluate<AxeResults, RunOptions>(
    // Runs in the browser, where the line above has put axe.
    (element, given) =>
      (globalThis as unknown as { axe: { run: (part: unknown, options: RunOptions) => Promise<AxeResults> } }).axe.run(
        element,
        given,
      ),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
