import { expect, operate, test } from '../support/admin.ts';

test('an operator sees what went wrong and is led there', async ({ open, api, name }) => {
  const account = name();
  const page = await open('/logs');
  await operate(page, 'accounts/add-account', {
    name: account,
    type: 'csv',
    settings: { path: 'data/imports/nowhere.csv' },
  });
  await operate(page, 'imports/import-account', { account });
  const outcomes = [{ attribute_name: 'x', attribute_value: '{{ nothing }}' }];
  const rule = { name: name('-rule'), enabled: true, condition_typ: 'anyway', outcomes };
  await api.post('/rules/custom_attributes', rule);
  const jobs = [{ name: 'load', command: 'Import', account }];
  await api.post('/rules/cron_groups', { name: name('-group'), enabled: true, jobs });

  await page.getByRole('link', { name: 'Overview' }).click();
  const panel = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
  await expect(panel('Imports and exports')).toContainText('nowhere.csv does not exist');
  await expect(
    panel('Cron groups')
      .getByRole('listitem')
      .filter({ hasText: name('-group') }),
  ).toContainText('failed');
  await expect(panel('Rules')).toContainText("'nothing' is undefined");
  await expect(panel('System')).toContainText('SQLite');
  const isWhole = await page.evaluate('document.documentElement.scrollHeight <= window.innerHeight');
  expect(isWhole).toBe(true);
  await panel('Imports and exports').getByRole('link', { name: account }).click();
  await expect(page.getByRole('heading', { level: 1, name: account })).toBeVisible();

  await operate(page, 'rules/remove-rule', { rule_type: 'custom_attributes', rule: name('-rule') });
});

test('everybody sees what their roles allow', { tag: '@thorough' }, async ({ open }) => {
  const objects = await open('/', 'objects');
  await expect(objects.getByText('Hosts and objects')).toBeVisible();
  await expect(objects.getByRole('heading', { level: 2 })).toHaveCount(0);
  const syncer = await open('/', 'syncer');
  await expect(syncer.getByRole('heading', { level: 2 })).toHaveText(['Imports and exports', 'Cron groups']);
  await expect(syncer.getByText('Not seen for a day')).toBeVisible();
});
