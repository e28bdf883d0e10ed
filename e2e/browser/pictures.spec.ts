import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, operate, test } from '../support/admin.ts';
import { ROOT } from '../support/workplace.ts';

const RACKS = `host;rack;owner\nweb01.example.org;R04;web team\nweb02.example.org;R05;web team\ndb01.example.org;R04;databases\n`;

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
  source: async (page) => {
    await go(page, '/admin/accounts/new?type=csv');
    await page.getByLabel(/^Name/).fill('racks');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'racks.csv', mimeType: 'text/csv', buffer: Buffer.from(RACKS) });
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('web01.example.org').first()).toBeVisible();
  },
  dashboards: async (page) => {
    const saved = { dashboard: 'Night shift', shared: true };
    await operate(page, 'search/save-search', {
      ...saved,
      name: '1 Hosts in eqiad',
      where: 'site:eqiad',
      show: 'number',
    });
    await operate(page, 'search/save-search', {
      ...saved,
      name: '2 Databases',
      where: 'cluster:wikireplica*',
      columns: ['site'],
    });
    await operate(page, 'search/save-search', { ...saved, name: '3 By site', rows: 'site', by: 'cluster' });
    await go(page, '/admin/dashboards');
    await expect(page.getByRole('table', { name: 'Hosts by site' })).toBeVisible();
  },
  changes: async (page) => {
    for (const labels of [{ rack: 'R04' }, { rack: 'R94', owner: 'web team' }]) {
      const host = { hostname: 'web01.example.org', account: 'api', labels };
      await operate(page, 'hosts/save-host', host);
    }
    await go(page, '/admin/changes?field=labels');
    await expect(page.getByText('web team').first()).toBeVisible();
  },
  inventory: async (page) => {
    await go(page, '/admin/inventory/automation');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  notifications: async (page) => {
    const settings = { address: 'smtp://mail.example.org:587', from: 'muster@example.org', to: 'ops@example.org' };
    // The picture in the other colours may have added it.
    await operate(page, 'accounts/add-account', { name: 'ops-mail', type: 'mail', settings }).catch(() => undefined);
    await go(page, '/admin/notifications');
    await expect(page.getByText('ops-mail').first()).toBeVisible();
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
