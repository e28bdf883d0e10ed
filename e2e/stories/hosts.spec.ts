import type { Page } from '@playwright/test';
import { expect, pictures, test } from './pictures.ts';

const hosts = (page: Page) => page.getByRole('table', { name: 'Hosts' });

test('find the hosts of a rack that changed today', { tag: '@thorough' }, async ({ open, api, name }) => {
  for (const host of ['-a', '-b']) await api.save(name(host), 'api', { rack: name('R12'), os: 'debian' });
  await api.save(name('-c'), 'api', { rack: name('R13') });
  const page = await open('/');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  const search = page.getByLabel('Search', { exact: true });
  await search.fill(`rack:${name('R12')} changed>today`);
  await expect(hosts(page).getByRole('link')).toHaveText([name('-a'), name('-b')]);
  await expect(page.getByRole('status')).toHaveText('2 found');
  await pictures(page, 'hosts-of-a-rack');
  // Where the search stands in the address, a colleague sees the same.
  const other = await open(new URL(page.url()).pathname.replace('/admin', '') + new URL(page.url()).search, 'objects');
  await expect(hosts(other).getByRole('link')).toHaveText([name('-a'), name('-b')]);
});

test('why has this host this value, and since when', { tag: '@thorough' }, async ({ open, api, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'esams' });
  await api.save(host, 'api', { site: 'codfw' });
  const page = await open(`/hosts/${host}?tab=explain`);
  const shown = page.getByRole('region', { name: 'Values that the inventory shows' });
  const tier = shown.getByRole('listitem', { name: 'tier', exact: true });
  await expect(tier).toContainText('core');
  await tier.getByRole('button').click();
  await expect(page.getByRole('listitem', { name: 'Core data centres: hit' })).toContainText('site is codfw');
  await pictures(page, 'why-this-value');
  await page.getByRole('tab', { name: 'History' }).click();
  const change = page.getByRole('article', { name: /^labels/i }).first();
  await expect(change).toContainText('esams');
  await expect(change).toContainText('codfw');
  await pictures(page, 'since-when');
});

test('hosts that nobody has seen are archived together, and come back', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  for (const letter of ['a', 'b', 'c']) await api.save(name(`-${letter}`), 'api', { owner: 'nobody' });
  const page = await open(`/hosts?where=${name('-')}`);
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: 'Archive…' }).click();
  const question = page.getByRole('dialog', { name: 'Archive 3 hosts?' });
  await expect(question.getByRole('listitem')).toHaveCount(3);
  await pictures(page, 'archive-several');
  await question.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('No active host matches')).toBeVisible();
  await page.goto(`/admin/hosts?where=${name('-')}&state=archived`);
  await expect(hosts(page).getByRole('link')).toHaveCount(3);
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: /^Restore/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect.poll(async () => (await api.get(`/objects/${name('-a')}`)).status).toBe(200);
});

test('a label of several hosts is changed after a look, and put back', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  for (const letter of ['a', 'b']) await api.save(name(`-${letter}`), 'api', { owner: 'old' });
  const page = await open(`/hosts?where=${name('-')}`);
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: 'Change a label' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Label' }).fill('owner');
  await dialog.getByRole('combobox', { name: 'Value' }).fill('operations');
  await dialog.getByRole('button', { name: 'Show what would change' }).click();
  await expect(dialog.getByText('2 hosts would change')).toBeVisible();
  await pictures(page, 'change-a-label');
  await dialog.getByRole('button', { name: 'Change 2 hosts' }).click();
  await expect.poll(async () => (await api.get(`/objects/${name('-a')}`)).body.labels.owner).toBe('operations');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await api.get(`/objects/${name('-a')}`)).body.labels.owner).toBe('old');
});

test('two hosts are compared that should be alike', { tag: '@thorough' }, async ({ open, api, name }) => {
  await api.save(name('-a'), 'api', { os: 'debian12', site: 'codfw', role: 'web' });
  await api.save(name('-b'), 'api', { os: 'debian13', site: 'codfw' });
  const page = await open(`/hosts/compare?left=${name('-a')}&right=${name('-b')}`);
  const labels = page.getByRole('main');
  await expect(labels).toContainText('debian12');
  await expect(labels).toContainText('debian13');
  await expect(labels).toContainText('role');
  await pictures(page, 'two-hosts-compared');
});
