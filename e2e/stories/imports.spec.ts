import type { Page } from '@playwright/test';
import { operate } from '../support/admin.ts';
import type { Workplace } from '../support/workplace.ts';
import { expect, pictures, test } from './pictures.ts';

async function write(place: Workplace, account: string, rows: readonly string[]): Promise<void> {
  await place.write(`data/imports/${account}.csv`, `host,site\n${rows.join('\n')}\n`);
}

async function addSource(page: Page, account: string, settings: object = {}): Promise<void> {
  const path = `data/imports/${account}.csv`;
  await operate(page, 'accounts/add-account', {
    name: account,
    type: 'csv',
    settings: { path, hostname_field: 'host', ...settings },
  });
}

test('an import that read the wrong file is found and taken back', { tag: '@thorough' }, async ({
  open,
  name,
  service: { place },
}) => {
  const page = await open('/logs');
  await write(place, name(), [`${name('-1')},fra`, `${name('-2')},fra`]);
  await addSource(page, name());
  await operate(page, 'imports/import-account', { account: name() });
  await write(place, name(), [`${name('-1')},moon`, `${name('-2')},moon`, `${name('-3')},moon`]);
  await operate(page, 'imports/import-account', { account: name() });
  await page.goto(`/admin/runs?account=${name()}`);
  const newest = page.getByRole('table', { name: 'Past runs' }).getByRole('row').nth(1);
  await newest.getByRole('link', { name: 'Changed hosts' }).click();
  const undo = page.getByRole('region', { name: 'Undo' });
  await undo.getByRole('button', { name: 'Show what would be undone' }).click();
  await expect(undo.getByRole('status')).toHaveText('Dry run: 2 changes undone, 1 host archived');
  await pictures(page, 'undo-an-import');
  await undo.getByRole('button', { name: 'Undo the import' }).click();
  await expect(undo.getByRole('status')).toHaveText('2 changes undone, 1 host archived');
  await page.goto(`/admin/hosts?where=${name('-')}`);
  await expect(page.getByRole('table', { name: 'Hosts' }).getByText('site: fra')).toHaveCount(2);

  const advice = 'Import again when the source is right, or disable the account until then.';
  await page.goto(`/admin/accounts/${name()}`);
  await expect(page.getByRole('alert').filter({ hasText: 'An import was undone' })).toContainText(advice);
  await expect(page.getByRole('img', { name: 'undone' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'succeeded' })).toHaveCount(0);
  await pictures(page, 'account-of-an-undone-import');
  await page.goto('/admin/');
  const again = page.getByRole('button', { name: `Import again: ${name()}` });
  const need = page.getByRole('listitem').filter({ has: again });
  await expect(need).toContainText('import undone');
  await expect(need).toContainText(advice);
  await pictures(page, 'overview-of-an-undone-import');
  await write(place, name(), [`${name('-1')},fra`, `${name('-2')},fra`]);
  // What was taken back may come again, so it is asked.
  await again.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await expect(need).toHaveCount(0);
});

test('an import that would archive too much is refused, and archives these this once', { tag: '@thorough' }, async ({
  open,
  name,
  service: { place },
}) => {
  const page = await open('/logs');
  const rows = Array.from({ length: 10 }, (_, index) => `${name(`-${index}`)},fra`);
  await write(place, name(), rows);
  await addSource(page, name(), { delete_host_if_not_found_on_import: 'true' });
  await operate(page, 'imports/import-account', { account: name() });
  await write(place, name(), rows.slice(0, 3));
  await page.goto(`/admin/accounts/${name()}`);
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByRole('main')).toContainText('nothing was archived');
  await pictures(page, 'import-refused');
  await page.getByRole('button', { name: 'Archive these 7 this once…' }).click();
  await expect(page.getByRole('dialog')).toContainText('archives none if more than 7 are gone by then');
  await page.getByRole('button', { name: 'Archive them' }).click();
  await expect(page.getByText('Import done')).toBeVisible();
  await page.goto(`/admin/hosts?where=${name('-')}`);
  await expect(page.getByRole('table', { name: 'Hosts' }).getByRole('link')).toHaveCount(3);
});

test('an import is made to run every night', { tag: '@thorough' }, async ({ open, name, service: { place } }) => {
  const page = await open('/logs');
  await write(place, name(), [`${name('-1')},fra`]);
  await addSource(page, name());
  await page.goto(`/admin/accounts/${name()}`);
  await page.getByRole('link', { name: 'Schedule…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name());
  await page.getByRole('checkbox', { name: 'Only in certain hours of the day' }).check();
  await pictures(page, 'every-night');
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByText('every day, 22 to 6 h')).toBeVisible();
  await page.getByRole('button', { name: `Run now: ${name()}` }).click();
  // Out of its hours the run comes in place of the next one of the night, which is asked about.
  const question = page.getByRole('dialog', { name: `Run ${name()} now?` });
  const told = page.getByText('the group runs on the next cron pass');
  await expect(question.or(told)).toBeVisible();
  if (await question.isVisible()) await question.getByRole('button', { name: 'Run now' }).click();
  await expect(told).toBeVisible();
  await page.goto(`/admin/hosts?where=${name('-1')}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('table', { name: 'Hosts' }).getByRole('link', { name: name('-1') })).toBeVisible({
      timeout: 5000,
    });
  }).toPass({ timeout: 30_000 });
});
