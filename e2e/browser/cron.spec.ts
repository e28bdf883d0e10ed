import { expect, test } from '../support/admin.ts';
import type { Api } from '../support/api.ts';

const MAINTENANCE = [{ name: 'tidy', command: 'Maintenance' }];

async function importGroup(api: Api, group: Record<string, unknown>): Promise<void> {
  const rule = { enabled: true, jobs: MAINTENANCE, ...group };
  const answer = await api.post('/rules/cron_groups', rule);
  expect(answer.body).toMatchObject({ imported: 1 });
}

async function stored(api: Api, name: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await api.get('/rules/cron_groups');
  return body.rules.find((rule: { name: string }) => rule.name === name);
}

test('somebody makes a group by keyboard alone', async ({ open, api, name }) => {
  const group = name('/nightly %');
  const page = await open('/cron');
  await page.getByRole('link', { name: 'New group' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New cron group' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter a name')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type(group);
  await page.getByRole('combobox', { name: 'Job 1', exact: true }).focus();
  await page.keyboard.type('maint');
  // The words for jobs come from the server: whoever is faster than it picks from nothing.
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Archives stale hosts')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Only in certain hours of the day' }).press('Space');
  await expect(page.getByText('past midnight')).toBeVisible();
  await expect(page.getByText(/^First run .*\d\d:\d\d in UTC/)).toBeVisible();
  await page.getByRole('button', { name: 'Create group' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: group })).toBeVisible();
  await expect(page.getByText('every day, 22 to 6 h')).toBeVisible();
  expect(await stored(api, group)).toMatchObject({ enabled: true, interval: 'daily', timerange_from: 22 });
});

test('a group starts on some days only, is paused, and runs all the same where a person insists', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const group = name();
  await importGroup(api, { name: group, interval: 'daily', timerange_from: 2, timerange_to: 3 });
  const page = await open(`/cron/${group}/edit`);
  for (const day of ['Sat', 'Sun']) await page.getByRole('checkbox', { name: day }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('every day, 2 to 3 h, Mon Tue Wed Thu Fri')).toBeVisible();
  expect(await stored(api, group)).toMatchObject({ weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] });
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByLabel('Until').fill('2099-01-02T03:00');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Run now: ${group}` }).click();
  await expect(page.getByText('The group is paused until 2099-01-02 03:00:00')).toBeVisible();
  await page.getByRole('button', { name: 'Run now', exact: true }).last().click();
  await expect(page.getByText(/^tidy: 0 stale/).first()).toBeVisible();
  await expect(page.getByText('paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'End the pause' }).click();
  await expect(page.getByText('paused', { exact: true })).toHaveCount(0);
});

test('an import without an account is not saved: the form says where one is missing', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const group = name();
  const page = await open('/cron/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(group);
  await page.getByRole('combobox', { name: 'Job 1', exact: true }).fill('Import');
  await page.getByRole('option', { name: 'Import', exact: true }).click();
  const account = page.getByRole('combobox', { name: 'Account of job 1' });
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByText('the job Import needs an account')).toBeVisible();
  await expect(account).toBeFocused();
  expect(await stored(api, group)).toBeUndefined();
  await account.fill('api');
  await page.getByRole('option', { name: 'api', exact: true }).click();
  await expect(page.getByText('the job Import needs an account')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { level: 1, name: group })).toBeVisible();
  await page.getByRole('link', { name: 'api', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'api' })).toBeVisible();
});

test('a run is asked for, and seen when it has ended @thorough', async ({ open, api, name }) => {
  const group = name();
  await importGroup(api, { name: group, interval: 'daily' });
  const page = await open('/cron');
  const row = page.getByRole('row').filter({ hasText: group });
  await expect(row).toContainText('in 24 hours');
  await row.getByRole('link', { name: group }).click();
  const run = page.getByRole('button', { name: `Cron group ${group} ran` });
  await expect(run).toHaveCount(1);
  await page.getByRole('button', { name: `Run now: ${group}` }).click();
  await expect(page.getByText(`${group}: the group runs on the next cron pass`)).toBeVisible();
  await expect(run).toHaveCount(2);
  await run.first().click();
  await expect(page.getByRole('region')).toContainText('tidy: 0 stale hosts archived');
});

test('a request is taken back', { tag: '@thorough' }, async ({ open, api, name }) => {
  const group = name();
  await importGroup(api, { name: group, enabled: false });
  const page = await open('/cron');
  const row = page.getByRole('row').filter({ hasText: group });
  await row.getByRole('button', { name: `Run now: ${group}` }).click();
  await expect(page.getByText('it runs on the first cron pass after it is enabled')).toBeVisible();
  await row.getByRole('button', { name: `Withdraw request: ${group}` }).click();
  await expect(row.getByRole('button', { name: `Run now: ${group}` })).toBeVisible();
  expect(await stored(api, group)).toMatchObject({ run_once_next: false });
});

test('a group is changed without losing what the form does not know, renamed and deleted', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const [before, after] = [name('-old'), name('-new')];
  const jobs = [
    { name: 'first', command: 'Maintenance', mark: 1 },
    { name: 'second', command: 'Autorules', mark: 2 },
  ];
  await importGroup(api, { name: before, enabled: false, interval: 'hour', note: { kept: true }, jobs });
  await importGroup(api, { name: name('-taken') });
  const page = await open(`/cron/${before}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name('-taken'));
  await page.getByRole('button', { name: 'Move job 2 up' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/another rule/);
  await page.getByRole('textbox', { name: 'Name' }).fill(after);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: after })).toBeVisible();
  expect(await stored(api, after)).toMatchObject({ interval: 'hour', note: { kept: true }, jobs: [jobs[1], jobs[0]] });
  expect(await stored(api, before)).toBeUndefined();

  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('history of rules');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cron groups' })).toBeVisible();
  await expect(page.getByText('rules revert cron_groups')).toBeVisible();
  expect(await stored(api, after)).toBeUndefined();
});

test('a webhook gets a token, then a signature policy', { tag: '@thorough' }, async ({
  open,
  api,
  anonymous,
  name,
}) => {
  const group = name("-$(id)'");
  await importGroup(api, { name: group, webhook_enabled: true });
  const page = await open(`/cron/${encodeURIComponent(group)}`);
  await expect(page.getByText('neither a token nor a signature policy')).toBeVisible();
  await page.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog');
  const token = (await shown.getByText(/^muster_hook_/).textContent()) ?? '';
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  const path = `/syncer/cron/trigger/${name()}-%24%28id%29%27`;
  await expect(
    page.getByText(`curl -X POST -H "X-Webhook-Token: $TOKEN" ${new URL(page.url()).origin}/api/v1${path}`),
  ).toBeVisible();
  expect((await anonymous.post(path, undefined, { 'X-Webhook-Token': token })).status).toBe(202);

  await page.getByRole('button', { name: 'Require signatures' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('combobox', { name: 'Addresses that may call' }).fill('10.0.0.0/99');
  await form.getByRole('button', { name: 'Save policy' }).click();
  await expect(form.getByText('must be an address or a network')).toBeVisible();
  await form.getByRole('combobox', { name: 'Addresses that may call' }).press('Backspace');
  await form.getByRole('button', { name: 'Save policy' }).click();
  await expect(page.getByRole('dialog', { name: `Signing secret of ${group}` })).toContainText('shown only once');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByText('nothing else is accepted')).toBeVisible();
  expect((await anonymous.post(path, undefined, { 'X-Webhook-Token': token })).status).toBe(401);
  await page.getByRole('button', { name: 'Remove policy' }).click();
  await page.getByRole('button', { name: 'Remove the policy' }).click();
  await expect(page.getByText('A call needs the token of the group')).toBeVisible();
});

test('who may only read sees the groups and no way to change them', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const group = name();
  await importGroup(api, { name: group });
  const page = await open(`/cron/${group}`, 'reader');
  await expect(page.getByText('You may only read')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: /Run|Delete|token|signatures/ })).toHaveCount(0);
  await page.goto('/admin/cron/new');
  await expect(page.getByText('You may only read')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
});
