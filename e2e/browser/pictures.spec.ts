import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/admin.ts';
import { ROOT } from '../support/workplace.ts';

/** What the documentation shows of the pages, by where it is and what must be there before the picture is taken. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  overview: async (page) => {
    await go(page, '/admin');
    await expect(page.getByText('Sources and targets')).toBeVisible();
  },
  hosts: async (page) => {
    await go(page, '/admin/hosts?where=site:codfw');
    await expect(page.getByRole('link', { name: /\.wmnet$/ }).first()).toBeVisible();
  },
  explain: async (page) => {
    await go(page, '/admin/hosts/kubernetes1031.eqiad.wmnet?tab=explain');
    await expect(page.getByText('Core data centres').first()).toBeVisible();
  },
  rule: async (page) => {
    await go(page, '/admin/rules/custom_attributes');
    await page.getByRole('link', { name: 'Core data centres' }).click();
    await expect(page.getByText(/458|hits/i).first()).toBeVisible();
  },
  runs: async (page) => {
    await go(page, '/admin/runs');
    await expect(page.getByText('wikimedia').first()).toBeVisible();
  },
};

async function go(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** `UPDATE_PICTURES=1` writes them to docs/pictures; otherwise they are made and only measured. */
for (const colours of ['light', 'dark']) {
  test(`pictures of the documentation, ${colours}`, { tag: '@thorough' }, async ({ open }) => {
    const page = await open('/');
    await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${colours}')`);
    const devtools = await page.context().newCDPSession(page);
    for (const [name, show] of Object.entries(PICTURES)) {
      await show(page);
      await page.waitForLoadState('networkidle');
      // Chromium writes WebP itself, at a third of the size of PNG.
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
      const picture = Buffer.from(data, 'base64');
      expect(picture.length, name).toBeLessThan(150_000);
      const path = join(ROOT, 'docs', 'pictures', `${name}-${colours}.webp`);
      if (process.env.UPDATE_PICTURES === '1') await writeFile(path, picture);
      else expect(existsSync(path), path).toBe(true);
    }
  });
}
