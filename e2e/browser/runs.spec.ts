import type { Page } from '@playwright/test';
import { expect, operate, test } from '../support/admin.ts';

/** Answers where its file is to be. */
async function addCsvAccount(page: Page, account: string): Promise<string> {
  const path = `data/imports/${account}.csv`;
  await operate(page, 'accounts/add-account', {
    name: account,
    type: 'csv',
    settings: { path, hostname_field: 'host' },
  });
  return path;
}

test('what ran is narrowed in the address, and leads to what failed and to what changed', async ({
  open,
  name,
  service: { place },
}) => {
  const account = name();
  const page = await open('/logs');
  const file = await addCsvAccount(page, account);
  await operate(page, 'imports/import-account', { account });
  await place.write(file, `host\n${account}-1\n`);
  await operate(page, 'imports/import-account', { account });

  await page.goto(`/admin/runs?account=${account}`);
  const runs = page.getByRole('table', { name: 'Past runs' }).getByRole('row');
  await expect(runs).toHaveCount(3);
  await expect(runs.nth(1)).toContainText('1 created');
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'failed', exact: true }).click();
  await expect(page).toHaveURL(/outcome=failed/);
  await expect(runs).toHaveCount(2);
  await runs.nth(1).getByRole('link', { name: 'Failures' }).click();
  await expect(page.getByRole('region', { name: 'Log' })).toContainText(`${account}.csv does not exist`);

  await place.write(file, `host,site\n${account}-1,fra\n${account}-2,fra\n`);
  // Runs are told apart by the second.
  await page.waitForTimeout(1100);
  await operate(page, 'imports/import-account', { account });
  await page.goto(`/admin/runs?account=${account}`);
  await runs.nth(1).getByRole('link', { name: 'Changed hosts' }).click();
  await expect(
    page.getByRole('region', { name: 'Created (1)' }).getByRole('link', { name: `${account}-2` }),
  ).toBeVisible();
  const changed = page.getByRole('region', { name: 'Changed', exact: true });
  await expect(changed.getByRole('rowgroup', { name: /: Labels$/ })).toHaveCount(1);
  await expect(changed.getByRole('rowgroup', { name: `${account}-1: Labels` })).toContainText('fra');
  await page.goto(`/admin/changes?by=account:${account}`);
  await expect(page.getByRole('rowgroup', { name: `${account}-1: Labels` })).toContainText('labels.site');
});

test('an import that read the wrong file is taken back, and what someone changed since stays', {
  tag: '@thorough',
}, async ({ open, name, service: { place } }) => {
  const account = name();
  const page = await open('/logs');
  const file = await addCsvAccount(page, account);
  await place.write(file, `host,site\n${account}-1,fra\n${account}-2,fra\n`);
  await operate(page, 'imports/import-account', { account });
  await place.write(file, `host,site\n${account}-1,moon\n${account}-2,moon\n${account}-3,moon\n`);
  await operate(page, 'imports/import-account', { account });
  const inventory = { hostname: `${account}-3`, key: 'note', inventory: { by: 'olga' } };
  await operate(page, 'hosts/save-inventory', inventory);

  await page.goto(`/admin/runs?account=${account}`);
  const newest = page.getByRole('table', { name: 'Past runs' }).getByRole('row').nth(1);
  await newest.getByRole('link', { name: 'Changed hosts' }).click();
  const undo = page.getByRole('region', { name: 'Undo' });
  await undo.getByRole('button', { name: 'Show what would be undone' }).click();
  await expect(undo.getByRole('status')).toHaveText('Dry run: 2 changes undone, 1 host left alone');
  await undo.getByRole('button', { name: 'Undo the import' }).click();
  await expect(undo.getByRole('status')).toHaveText('2 changes undone, 1 host left alone');
  await expect(undo.getByRole('list', { name: 'Left alone' })).toContainText(`${account}-3: something else changed it`);
  await expect(undo.getByText('This import was undone')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('term').filter({ hasText: 'Outcome' }).locator('xpath=..')).toContainText('undone');
  const rows = page.getByRole('table', { name: 'Past runs' }).getByRole('row');
  await page.goBack();
  await expect(rows.nth(1)).toContainText(/Undo of an import.*done/);
  await expect(rows.nth(2)).toContainText(/done.*undone/);
  await page.goForward();
  await undo.getByRole('link', { name: 'see what was undone' }).click();
  await expect(page.getByRole('region', { name: 'Log' })).toContainText(`${account}-3: something else changed it`);
  await page.getByRole('link', { name: 'the import, with the hosts that it had changed' }).click();
  await expect(undo.getByText('This import was undone')).toBeVisible();
  await page.goto(`/admin/hosts/${account}-1`);
  await expect(page.getByRole('table', { name: 'Labels of this host' })).toContainText('fra');
});

test('who may not open accounts is led to none of them', { tag: '@thorough' }, async ({ open, name, service }) => {
  const account = name();
  const admin = await open('/logs');
  const file = await addCsvAccount(admin, account);
  await service.place.write(file, `host\n${account}-1\n`);
  await operate(admin, 'imports/import-account', { account });
  const page = await open(`/runs?account=${account}`, 'syncer');
  const run = page.getByRole('table', { name: 'Past runs' }).getByRole('row').nth(1);
  await expect(run).toContainText(account);
  await expect(run.getByRole('link', { name: account, exact: true })).toHaveCount(0);
  await run.getByRole('link', { name: 'Changed hosts' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(account);
  await expect(page.getByRole('main').getByRole('link', { name: account, exact: true })).toHaveCount(0);
});
