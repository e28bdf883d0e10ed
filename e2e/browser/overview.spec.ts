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
  const needs = page.getByRole('region', { name: /^Needs attention/ });
  const need = (text: string) => needs.getByRole('listitem').filter({ hasText: text });
  // The job of the cron group fails for the same reason.
  const failedImport = need('nowhere.csv does not exist').filter({ hasText: 'import failed' });
  await expect(failedImport).toBeVisible();
  await expect(need(name('-group'))).toContainText('cron failed');
  await expect(need("'nothing' is undefined")).toContainText('rule error');
  await expect(page.getByRole('img', { name: `Last runs of ${account}:` })).toHaveAccessibleName(/the newest failed/);
  await failedImport.getByRole('button', { name: `Import ${account} again` }).click();
  await expect(page.getByRole('alert')).toContainText('nowhere.csv does not exist');
  await failedImport.getByRole('link', { name: account, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: account })).toBeVisible();

  await operate(page, 'rules/remove-rule', { rule_type: 'custom_attributes', rule: name('-rule') });
});

test('everybody sees what their roles allow', { tag: '@thorough' }, async ({ open }) => {
  const objects = await open('/', 'objects');
  await expect(objects.getByText('Hosts and objects')).toBeVisible();
  await expect(objects.getByRole('heading', { level: 2 })).toHaveText(['Changed today']);
  const syncer = await open('/', 'syncer');
  await expect(syncer.getByRole('heading', { level: 2 })).toHaveText([
    /Needs attention/,
    'Sources and targets',
    'Changed today',
  ]);
  await expect(syncer.getByText('Not seen for a day')).toBeVisible();
});

test('the first page is small, and a page whose script cannot be loaded says so', async ({ open }) => {
  const page = await open('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  const loaded = await page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/admin/assets/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  expect(loaded).toBeGreaterThan(100_000);
  expect(loaded).toBeLessThan(250_000);

  // The browser and the component library rightly complain from here on.
  page.removeAllListeners('console');
  page.removeAllListeners('pageerror');
  await page.route('**/admin/assets/part-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'System' }).click();
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded.');
  await page.unroute('**/admin/assets/part-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible();
});
