import { expect, operate, test } from '../support/admin.ts';

test('somebody finds out by keyboard why an import failed', { tag: '@thorough' }, async ({ open, name }) => {
  const account = name();
  const page = await open('/logs');
  await operate(page, 'accounts/add-account', {
    name: account,
    type: 'csv',
    settings: { path: 'data/imports/nowhere.csv' },
  });
  await operate(page, 'imports/import-account', { account });
  await page.getByRole('searchbox', { name: 'Search' }).fill(account);
  await expect(page).toHaveURL(/text=/);
  const entry = page.getByRole('button', { name: `Import of ${account} failed` });
  await entry.press('Enter');
  await expect(page.getByRole('region')).toContainText(/error .*nowhere\.csv does not exist/);
  await page.getByRole('switch', { name: 'Errors only' }).press('Space');
  await expect(page).toHaveURL(/errors=true/);
  await expect(entry).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(account);
  await expect(page.getByRole('button', { name: /^\d+ seconds? ago|^now/ })).toHaveCount(1);
});

test('the log comes in pages back in time', { tag: '@thorough' }, async ({ open, api, name }) => {
  const group = name();
  await api.post('/rules/cron_groups', { name: group, enabled: true, webhook_enabled: true, jobs: [] });
  for (let n = 1; n <= 52; n++) expect((await api.post(`/syncer/cron/trigger/${group}`)).status).toBe(202);
  const page = await open(`/logs?source=API&text=${group}`);
  const entries = page.getByRole('button', { name: `Cron group ${group} was triggered` });
  await expect(entries).toHaveCount(50);
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(entries).toHaveCount(2);
  await expect(page.getByText('There are no older entries.')).toBeVisible();
  await page.goBack();
  await expect(entries).toHaveCount(50);
  await page.goForward();
  await expect(entries).toHaveCount(2);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(entries).toHaveCount(50);
});

test('a source is chosen among those that have written', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/logs');
  await page.getByRole('combobox', { name: 'Source' }).fill('import:wiki');
  await page.getByRole('option', { name: 'import:wikimedia' }).click();
  await expect(page).toHaveURL(/source=import%3Awikimedia/);
  await expect(page.getByRole('button', { name: 'Import of wikimedia done' }).first()).toBeVisible();
});

test('administrators see in the audit trail who was refused what', { tag: '@thorough' }, async ({ open, as, name }) => {
  const hostname = name();
  const reader = await as('reader');
  expect((await reader.post(`/objects/${hostname}`, { account: 'api', labels: {} })).status).toBe(403);
  const page = await open('/logs');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByRole('searchbox', { name: 'User' }).fill('reader');
  await page.getByRole('switch', { name: 'Refusals only' }).click();
  await expect(page).toHaveURL(/refused=true&actor=reader|actor=reader&refused=true/);
  const row = page.getByRole('row').filter({ hasText: 'Create or update host' }).first();
  await expect(row).toContainText('rest 127.0.0.1');
  await expect(row).toContainText('may only read');
});

test('who disabled a rule is found by its name, and leads to the rule', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const rule = { name: name(), enabled: true, condition_typ: 'anyway', outcomes: [] };
  await api.post('/rules/custom_attributes', rule);
  const { rules } = (await api.get('/rules/custom_attributes')).body;
  const id = rules.find((candidate: { name: string }) => candidate.name === rule.name)._id.$oid;
  expect((await api.post('/rules/custom_attributes/enabled', { rules: [id], enabled: false })).status).toBe(200);
  const page = await open('/logs/audit');
  await page.getByRole('searchbox', { name: 'Search' }).fill(rule.name);
  await expect(page).toHaveURL(new RegExp(`text=${rule.name}`));
  await page
    .getByRole('row')
    .filter({ hasText: 'Enable or disable rules' })
    .getByRole('link', { name: `custom_attributes disabled: ${rule.name}`, exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: rule.name })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/rules/custom_attributes/${id}$`));
});

test('others do not see the audit trail', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/logs', 'syncer');
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.goto('/admin/logs/audit');
  await expect(page.getByText('This is for administrators')).toBeVisible();
});

test('a user name in the audit log is never broken, and what was done takes one line', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/logs/audit?actor=root', 'root');
  await page.setViewportSize({ width: 1440, height: 900 });
  const row = page.getByRole('row').filter({ hasText: 'Log in' }).first();
  const name = row.getByRole('link', { name: 'root' }).first();
  await expect(name).toBeVisible();
  expect((await name.boundingBox())?.height).toBeLessThan(24);
  expect((await row.boundingBox())?.height).toBeLessThan(36);
});
