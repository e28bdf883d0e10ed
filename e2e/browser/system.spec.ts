import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/admin.ts';

test('health, plugins and configuration are there to be looked up', async ({ open }) => {
  const page = await open('/system');
  await expect(page.getByRole('row').filter({ hasText: 'storage' })).toContainText('SQLite');
  await page.getByRole('tab', { name: 'Plugins' }).click();
  await expect(page).toHaveURL(/tab=plugins/);
  await expect(page.getByRole('row').filter({ hasText: 'source csv' })).toContainText('running');
  await page.getByRole('tab', { name: 'Configuration' }).click();
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('database_url');
  const row = page.getByRole('row').filter({ hasText: 'DATABASE_URL' });
  await expect(row).toContainText('sqlite:data/muster.db');
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('maintenance asks before it runs and tells what it did', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/system?tab=maintenance');
  await page.getByRole('button', { name: 'Run maintenance now' }).press('Enter');
  const question = page.getByRole('dialog');
  await expect(question).toContainText('can only be restored from a backup');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Run maintenance now' }).click();
  await question.getByRole('button', { name: 'Run maintenance' }).click();
  await expect(page.getByRole('status').filter({ hasText: '0 hosts archived as stale' })).toBeVisible();
});

test('who may only read sees it all and runs nothing, others see nothing of it', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/system?tab=maintenance', 'reader');
  await expect(page.getByText('You may only read')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run maintenance now' })).toHaveCount(0);
  const other = await open('/system', 'syncer');
  await expect(other.getByText('This is for administrators')).toBeVisible();
});

test('a backup is written, verified and downloaded, and so is a support bundle', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/system?tab=backups');
  await expect(page.getByText('No backups yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'was proved by restoring it' })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: /muster-\d+T\d+Z\.gz/ });
  await expect(row).toContainText('not encrypted');
  await expect(row).toContainText('when it was written');
  await row.getByRole('button', { name: /^Verify/ }).click();
  await expect(row).not.toContainText('when it was written');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: /^Download/ }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^muster-\d{8}T\d{9}Z\.gz$/);
  expect((await readFile(await saved.path())).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  await expect(page.getByText(/muster restore --force '.*muster-\d+T\d+Z\.gz'/)).toBeVisible();
  await page.getByRole('tab', { name: 'Health' }).click();
  const [bundle] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download support bundle' }).click(),
  ]);
  expect(JSON.parse(await readFile(await bundle.path(), 'utf8'))).toMatchObject({ product: expect.any(String) });
});

test('who may only read sees the backups, and makes, verifies and downloads none', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/system?tab=backups', 'reader');
  await expect(page.getByText('You may only read')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Back up|Verify|Download)/ })).toHaveCount(0);
});
