import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect, operate, test } from '../support/admin.ts';
import { ROOT } from '../support/workplace.ts';
import { PAGES } from './support/all-pages.ts';

const axeSource = readFile(join(ROOT, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** What axe finds, each with the elements that it is about. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await axeSource);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

for (const colours of ['light', 'dark'] as const) {
  test(`no page has anything that axe finds, ${colours}`, { tag: '@thorough' }, async ({ open }) => {
    test.setTimeout(300_000);
    const page = await open('/logs');
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
    await operate(page, 'imports/import-account', { account: 'wikimedia' });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`/admin${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect.soft(await findings(page), name).toEqual([]);
    }
  });
}

test('no dialog has anything that axe finds', { tag: '@thorough' }, async ({ open, api, name }) => {
  await api.save(name(), 'api', {});
  const page = await open(`/hosts/${name()}`);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.goto('/admin/rules/custom_attributes/new');
  await page.getByRole('button', { name: 'Document (JSON)' }).click();
  await page.getByRole('textbox', { name: /JSON/ }).waitFor();
  expect(await findings(page)).toEqual([]);
});

/** A window of 1280 pixels at 200 %, and at 400 %. */
for (const { zoom, width } of [
  { zoom: 200, width: 640 },
  { zoom: 400, width: 320 },
]) {
  test(`no page needs sideways moving at ${zoom} %`, { tag: '@thorough' }, async ({ open }) => {
    test.setTimeout(300_000);
    const page = await open('/logs');
    await page.setViewportSize({ width, height: 512 });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`/admin${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect.soft(beyond, name).toBeLessThanOrEqual(0);
    }
  });
}
