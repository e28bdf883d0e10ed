import { rm, writeFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, operate, test } from '../support/admin.ts';
import { allNeeds } from './support/needs.ts';

const THRESHOLD = 'Most hosts to archive at once, in percent delete_threshold_percent';

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Keeps calls waiting until what it answers is called; `told` hears when one waits, and when it goes on. */
async function held(page: Page, url: string, told: (isHeld: boolean) => void = () => undefined): Promise<() => void> {
  let goOn: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(url, async (route) => {
    told(true);
    await until;
    told(false);
    await route.continue();
  });
  return goOn;
}

test('an account is made by keyboard, and what is wrong is corrected where it stands', async ({ open, service }) => {
  const page = await open('/accounts');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await tabTo(page, page.getByRole('link', { name: 'New account' }));
  await page.keyboard.press('Enter');
  const sources = page.getByRole('region', { name: 'Sources', exact: true });
  await tabTo(page, sources.getByRole('radio').first());
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/type=netbox/);
  await page.keyboard.press('ArrowUp');
  await expect(page).toHaveURL(/type=csv/);
  await tabTo(page, page.getByRole('switch', { name: 'One form with all options' }));
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/form=plain/);
  await tabTo(page, field('Name'));
  await page.keyboard.type('keyed');
  await tabTo(page, field('File path'));
  await page.keyboard.type(service.place.path('keyed.csv'));
  await tabTo(page, page.getByRole('region', { name: 'When it goes' }).locator('summary'));
  await page.keyboard.press('Enter');
  await tabTo(page, field(THRESHOLD));
  await page.keyboard.type('200');
  await page.keyboard.press('Enter');
  await expect(field(THRESHOLD)).toBeFocused();
  await expect(page.getByText('must be at most 100')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'keyed' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'delete_threshold_percent' })).toContainText('30');
});

test('the form of an account asks only for what its type uses', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/accounts/new?type=api');
  await expect(page.getByText('hosts written by hand or over the API')).toBeVisible();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await expect(field('Name')).toBeVisible();
  await expect(page.getByText('Secrets kept elsewhere')).toHaveCount(0);
  await expect(field('User name')).toHaveCount(0);
  await page.getByRole('button', { name: 'Fields that this type does not use' }).click();
  await expect(field('User name')).toBeVisible();
  await page.getByText('References instead of secrets').click();
  await expect(field('Password from')).toBeVisible();
  await page.goto('/admin/accounts/new?type=syslog');
  await expect(field('Address of the syslog server')).toBeVisible();
  await expect(field('User name')).toHaveCount(0);
});

test('what was entered of a new account stays when its form becomes another one', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/accounts/new?type=csv');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Name of the account').fill('kept-draft');
  await field('File path').fill('/srv/hosts.csv');
  const plain = page.getByRole('switch', { name: 'One form with all options' });
  await plain.click({ force: true });
  await expect(field('Name')).toHaveValue('kept-draft');
  await expect(field('File path')).toHaveValue('/srv/hosts.csv');
  await page.getByRole('region', { name: 'When it goes' }).locator('summary').click();
  await field(THRESHOLD).fill('30');
  await plain.click({ force: true });
  await expect(field('Name of the account')).toHaveValue('kept-draft');
  await page.getByRole('navigation').getByRole('link', { name: 'Hosts' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Advanced options' }).click();
  await expect(field(THRESHOLD)).toHaveValue('30');
});

test('a file that is too large says where to put it, and that is over when the source is read', {
  tag: '@thorough',
}, async ({ open, service, name }) => {
  const account = name();
  await service.place.write(`data/imports/${account}.csv`, `host,site\n${account}-1,berlin\n`);
  const page = await open('/accounts/new?type=csv');
  await expect(page.getByRole('textbox', { name: 'Name of the account' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name of the account' }).fill(account);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a file' }).click();
  const buffer = Buffer.alloc(9_000_000, `${account},berlin\n`);
  await (await chooser).setFiles({ name: 'big.csv', mimeType: 'text/csv', buffer });
  const refused = page.getByRole('alert').filter({ hasText: 'too large' });
  await expect(refused).toContainText(/9 MB, and at most 5 MB.*Copy the file into \S*imports on the machine/);
  await page.getByRole('textbox', { name: 'File path' }).fill(`data/imports/${account}.csv`);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('The source can be read')).toBeVisible({ timeout: 20_000 });
  await expect(refused).toHaveCount(0);

  // It takes long: its bar is where the reader looks.
  await page.setViewportSize({ width: 1280, height: 500 });
  const goOn = await held(page, '**/imports/import-account');
  await page.getByRole('button', { name: 'Save and import' }).press('Enter');
  await expect(page.getByRole('progressbar', { name: 'Importing' })).toBeInViewport();
  goOn();
  await expect(page.getByText('Import done')).toBeVisible();
});

test('an import that runs is told by one bar, and nobody begins it again', { tag: '@thorough' }, async ({
  open,
  service,
  name,
}) => {
  const account = name();
  await service.place.write(`data/imports/${account}.csv`, `host,site\n${account}-1,berlin\n`);
  const page = await open('/accounts');
  const settings = { path: `data/imports/${account}.csv` };
  await operate(page, 'accounts/add-account', { name: account, type: 'csv', settings });
  const progress = { done: 220, total: 1000, unit: 'records', note: '' };
  const run = { id: '0'.repeat(24), kind: 'import', account, part: null, started_by: 'olga', progress };
  let runs: object[] = [{ ...run, started_at: new Date().toISOString() }];
  await page.route('**/runs/list-active', (route) => route.fulfill({ json: { runs } }));

  await page.goto('/admin/');
  await expect(page.getByRole('listitem').filter({ hasText: account })).toContainText('running');
  await expect(page.getByRole('button', { name: `Import now: ${account}` })).toHaveCount(0);

  await page.goto(`/admin/accounts/${account}`);
  const now = page.getByRole('button', { name: 'Import now' });
  await expect(now).toBeDisabled();
  await expect(page.getByText('It is being imported, see above.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Dry run' })).toBeEnabled();
  await expect(page.getByRole('progressbar')).toHaveCount(1);

  runs = [];
  await expect(now).toBeEnabled({ timeout: 10_000 });
  const goOn = await held(page, '**/imports/import-account', (isHeld) => {
    runs = isHeld ? [{ ...run, started_at: new Date().toISOString() }] : [];
  });
  await now.click();
  await expect(page.getByRole('progressbar')).toHaveAccessibleName(/22 % · 220 of 1,000 records/, { timeout: 10_000 });
  await expect(page.getByRole('progressbar')).toHaveCount(1);
  await page.route('**/runs/cancel-active', (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', message: 'no run is active' } }),
  );
  await page.getByRole('button', { name: `Stop the import of ${account}` }).click();
  await page.getByRole('button', { name: 'Stop it' }).click();
  await expect(page.getByText('It has ended meanwhile.')).toBeVisible();
  await expect(page.getByText('That did not work')).toHaveCount(0);
  goOn();
  await expect(page.getByText('Import done')).toBeVisible();

  // One that was stopped is no fault.
  await page.route('**/imports/import-account', async (route) => {
    const text = await (await route.fetch()).text();
    const body = text.replace('"status":"done"', '"status":"failed"').replace('"cancelled":false', '"cancelled":true');
    await route.fulfill({ contentType: 'application/x-ndjson', body });
  });
  await now.click();
  await expect(page.getByText('Import cancelled')).toBeVisible();
  await expect(page.getByText('Import failed')).toHaveCount(0);
});

test('what came of an import is told though its row on the overview is not shown while it runs', {
  tag: '@thorough',
}, async ({ open, name }) => {
  const account = name();
  const page = await open('/accounts');
  const settings = { path: 'data/imports/nowhere.csv' };
  await operate(page, 'accounts/add-account', { name: account, type: 'csv', settings });
  await operate(page, 'imports/import-account', { account });
  const run = { id: '0'.repeat(24), kind: 'import', account, part: null, started_by: 'olga', progress: null };
  let runs: object[] = [];
  await page.route('**/runs/list-active', (route) => route.fulfill({ json: { runs } }));
  const goOn = await held(page, '**/imports/import-account', (isHeld) => {
    runs = isHeld ? [{ ...run, started_at: new Date().toISOString() }] : [];
  });
  await page.goto('/admin/');
  const again = page.getByRole('button', { name: `Import again: ${account}` });
  await allNeeds(page);
  await again.click();
  await expect(again).toHaveCount(0, { timeout: 10_000 });
  goOn();
  await expect(page.getByRole('alert')).toContainText('nowhere.csv does not exist');
});

test('before it is known what runs, no account is said never to have run', { tag: '@thorough' }, async ({
  open,
  name,
}) => {
  const account = name();
  const page = await open('/accounts');
  await operate(page, 'accounts/add-account', { name: account, type: 'csv', settings: { path: 'data/imports/x.csv' } });
  const goOn = await held(page, '**/runs/list-active');
  const known = page.waitForResponse('**/syncer/list-account-runs');
  await page.goto('/admin/');
  await (await known).finished();
  const begin = page.getByRole('button', { name: `Import now: ${account}` });
  await page
    .getByRole('region', { name: /^Needs attention/ })
    .getByRole('status', { name: 'Loading' })
    .waitFor();
  await expect(begin).toHaveCount(0);
  goOn();
  await expect(begin).toBeVisible();
});

test('an account is made step by step: pasted, tried, run dry and imported', {
  tag: '@thorough',
}, async ({ open, api, name, service }) => {
  const account = name();
  const page = await open('/accounts/new?type=csv');
  await page.getByRole('textbox', { name: 'Name of the account' }).fill(account);
  await page.getByRole('button', { name: 'Paste' }).press('Enter');
  await page
    .getByRole('textbox', { name: 'Content' })
    .fill(`device,site,serial\n${account}-1,berlin,J1\n${account}-2,paris,J2\n`);
  // The test is asked for while the text is still on its way.
  const store = await held(page, '**/accounts/upload-file');
  await page.getByRole('button', { name: 'Use this' }).click();
  await page.getByRole('button', { name: 'Test connection' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Test connection' })).toBeDisabled();
  store();
  await expect(page.getByRole('textbox', { name: 'File path' })).toHaveValue(/imports\/.*\.csv$/);
  await expect(page.getByText('Which column has the hostname?')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Use as hostname: device' }).press('Enter');
  const records = page.getByRole('table', { name: 'First records' });
  await expect(records.getByRole('row')).toHaveCount(3);
  await expect(records).toContainText(`${account}-2`);
  await page.getByRole('checkbox', { name: 'serial becomes a label' }).press(' ');
  await page.getByRole('radio', { name: /^Archive them/ }).check();
  await page.getByRole('button', { name: 'Dry run' }).press('Enter');
  await expect(page.getByText('Dry run done')).toBeVisible();
  expect(await service.place.done(['account', 'list'])).not.toContain(account);
  const progress = { done: 220, total: 1000, unit: 'records', note: '' };
  const began = { started_by: 'root', started_at: new Date().toISOString(), progress };
  const runs = [{ id: '0'.repeat(24), kind: 'import', account, part: null, ...began }];
  await page.route('**/runs/list-active', (route) => route.fulfill({ json: { runs } }));
  const goOn = await held(page, '**/imports/import-account');
  await page.getByRole('button', { name: 'Save and import' }).press('Enter');
  await expect(page.getByRole('progressbar')).toHaveAccessibleName(/22 % · 220 of 1,000 records/);
  await expect(page.getByRole('button', { name: `Stop the import of ${account}` })).toBeVisible();
  goOn();
  await expect(page.getByText('Import done')).toBeInViewport();
  await expect(page.locator(':focus')).toContainText('Import done');
  await expect(page.getByText('An uploaded file changes only when you replace it')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Done: Ansible can read this now' })).toContainText('curl -H');
  expect((await api.get(`/objects/${account}-1`)).body.labels).toEqual({ site: 'berlin' });
  await page.getByRole('link', { name: 'See the account' }).click();
  await expect(page.getByRole('row', { name: 'delete_host_if_not_found_on_import' })).toContainText('true');
  await expect(page.getByRole('row', { name: 'hostname_field' })).toContainText('device');
});

test('the member with the hostname of a JSON file is chosen among what its records have', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const account = name();
  const page = await open('/accounts/new?type=json');
  await page.getByRole('textbox', { name: 'Name of the account' }).fill(account);
  await page.getByRole('button', { name: 'Paste' }).click();
  const records = [1, 2].map((id) => ({ id, device: `${account}-${id}`, rack: { name: 'A1' } }));
  await page.getByRole('textbox', { name: 'Content' }).fill(JSON.stringify({ results: records }));
  await page.getByRole('button', { name: 'Use this' }).click();
  await expect(page.getByRole('textbox', { name: 'File path' })).toHaveValue(/\.json$/);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Which column has the hostname?')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Save and import' })).toHaveCount(0);
  const table = page.getByRole('table', { name: 'First records' });
  await expect(table).toContainText('A1');
  await page.getByRole('button', { name: 'Use as hostname: device' }).click();
  await expect(page.getByText('The source can be read')).toBeVisible();
  await page.getByRole('button', { name: 'Save and import' }).click();
  await expect(page.getByText('Import done')).toBeVisible();
  expect((await api.get(`/objects/${account}-1`)).body.labels).toMatchObject({ 'rack.name': 'A1' });
});

test('a file that was uploaded gives the account its name, and the next one takes its place', {
  tag: '@thorough',
}, async ({ open, name, api }) => {
  const account = name();
  const hosts = (site: string) => ({
    name: `${account}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`host,site\n${account}-1,${site}\n`),
  });
  const page = await open('/accounts/new?type=csv');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload a file' }).click();
  await (await chooser).setFiles(hosts('berlin'));
  await expect(page.getByText(`${account}.csv is kept as `)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name of the account' })).toHaveValue(account);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByRole('button', { name: 'Save and import' }).click({ timeout: 20_000 });
  await expect(page.getByText('Import done')).toBeVisible();
  await page.getByRole('link', { name: 'See the account' }).click();
  await expect(page.getByRole('row', { name: 'File path' })).toContainText(
    new RegExp(`imports/${account}-[0-9a-f]+\\.csv$`),
  );
  await expect(page.getByText('none: an uploaded file changes only when it is replaced')).toBeVisible();
  const next = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Replace file…' }).click();
  await (await next).setFiles(hosts('paris'));
  await page.getByRole('button', { name: 'Import it now' }).click();
  await expect(page.getByText('Import done')).toBeVisible();
  expect((await api.get(`/objects/${account}-1`)).body.labels).toEqual({ site: 'paris' });
});

test('an account is tested, tried out and imported, and says what it left out', { tag: '@thorough' }, async ({
  open,
  service,
}) => {
  const { place } = service;
  const file = place.path('lab.csv');
  await writeFile(file, 'host,site\nlab-1,berlin\nlab-2,paris\n,nowhere\nlab-1,rome\n');
  await place.done(['account', 'add', 'lab', '--type', 'csv', '--set', `path=${file}`]);
  const page = await open('/accounts?q=lab');
  await expect(page.getByRole('row', { name: /lab/ })).toContainText('never');
  await page.getByRole('link', { name: 'lab', exact: true }).click();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('region', { name: 'Result for line 2' })).toContainText(
    '"site": "berlin"',
    // The first heavy operation of a service starts the thread for them.
    { timeout: 20_000 },
  );
  await page.getByRole('checkbox', { name: 'Include per-host changes' }).check();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(page.getByRole('table', { name: 'Planned changes' })).toContainText('lab-2');
  await expect(page.getByRole('table', { name: 'Records that would not be written' })).toContainText(
    'an earlier record of this run',
  );
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByText('Import done')).toBeVisible();
  await expect(page.getByText('Created', { exact: true }).locator('xpath=following-sibling::*')).toHaveText('2');
  await expect(page.getByRole('link', { name: 'See the hosts' })).toHaveAttribute('href', /account=lab/);
  await page.getByRole('link', { name: 'See what changed, or undo it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import of lab' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show what would be undone' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: '2 hosts of lab' })).toHaveAttribute('href', /account=lab/);

  await rm(file);
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByText('Import failed')).toBeVisible();
  await page.getByRole('link', { name: 'Accounts' }).first().click();
  await expect(page.getByRole('row', { name: /^lab/ }).getByRole('img', { name: 'failed' })).toBeVisible();
});

test('an import says when it made no host, and what it changed although it failed', { tag: '@thorough' }, async ({
  open,
  name,
  service: { place },
}) => {
  const file = place.path(`${name()}.csv`);
  const rows = (site: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${name(`-${index}`)},${site}\n`).join('');
  await writeFile(file, `host,site\n${rows('fra', 4)}`);
  for (const account of [name(), name('-again')]) {
    const options = [`path=${file}`, 'delete_host_if_not_found_on_import=true'].flatMap((set) => ['--set', set]);
    await place.done(['account', 'add', account, '--type', 'csv', ...options]);
  }
  await place.done(['import', name()]);
  const page = await open(`/accounts/${name('-again')}`);
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByText('Import done, but no record became a host')).toBeVisible({ timeout: 20_000 });

  await writeFile(file, `host,site\n${rows('ber', 1)}`);
  await page.goto(`/admin/accounts/${name()}`);
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByText('Import failed')).toBeVisible();
  await expect(page.getByText('1 host was changed all the same, by the records that were read.')).toBeVisible();
  await page.getByRole('link', { name: 'See or undo it in Runs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
});

test('secrets are replaced and never shown, and an account that is used is not deleted', { tag: '@thorough' }, async ({
  open,
  service,
  api,
}) => {
  const { place } = service;
  await place.done(['account', 'add', 'crm', '--type', 'api', '--set', 'token=hunter2', '--set', 'site=fra']);
  await api.post('/objects/crm-1', { account: 'crm', labels: {} });
  const page = await open('/accounts/crm');
  await expect(page.getByRole('row', { name: 'token' })).toContainText('stored, not shown');
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByRole('textbox', { name: 'Value' }).first()).toHaveValue('');
  await page.getByRole('button', { name: 'Remove site' }).click();
  await page.getByRole('button', { name: 'Fields that this type does not use' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://crm.example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: 'Address' })).toContainText('https://crm.example.org');
  await expect(page.getByRole('row', { name: 'site' })).toHaveCount(0);
  await expect(page.getByRole('row', { name: 'token' })).toContainText('stored, not shown');
  expect(await page.content()).not.toContain('hunter2');
  expect(await place.done(['rules', 'list', 'accounts', '--json'])).toContain('value_crypted');

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'account crm owns' })).toBeVisible();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  expect((await api.post('/objects/crm-2', { account: 'crm', labels: {} })).status).toBe(400);
});

test('an export asks before it replaces what the target has', { tag: '@thorough' }, async ({ open, service }) => {
  const { place } = service;
  await place.done(['account', 'add', 'out', '--type', 'json_file', '--set', `path=${place.path('out.jsonl')}`]);
  const page = await open('/accounts/out');
  await page.getByRole('button', { name: 'Export now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(page.getByText('Dry run done')).toBeVisible();
  await expect(page.getByText(/hosts: [\d,]+ would be written/)).toBeVisible();
  await expect(page.getByText('would be created')).toBeVisible();
  await expect(page.getByRole('region', { name: /^Beginning of .*out\.jsonl/ })).toContainText('{"hostname":');
  await page.getByRole('button', { name: 'Export now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Export done')).toBeVisible();
});

test('hosts are written into a file for each site: the type is found by what it does, and the form asks for what the shape has', {
  tag: '@thorough',
}, async ({ open }) => {
  const page = await open('/accounts/new?kind=source');
  const wanted = page.getByRole('textbox', { name: 'Find a type' });
  const card = page.getByRole('radio', { name: /^Files/ });
  for (const words of ['csv', 'export', 'files', 'ansible inventory']) {
    await wanted.fill(words);
    await expect(card, words).toBeVisible();
  }
  await card.click();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await expect(field('Name')).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(field('Separator separator')).toHaveCount(0);
  await expect(field('Origin of the zone origin')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'shape' }).selectOption('template');
  await field('Header of the file header').fill('# hosts');
  await expect(field('Separator separator')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'shape' }).selectOption('csv');
  await expect(field('Separator separator')).toBeVisible();
  await expect(field('Origin of the zone origin')).toHaveCount(0);
  // What is set stays to be seen.
  await expect(field('Header of the file header')).toHaveValue('# hosts');
  await field('Header of the file header').fill('');
  await expect(field('Header of the file header')).toHaveCount(0);

  await field('Name').fill('by-site');
  await field('File path').fill('../{{ site }}.csv');
  await field('Variables to write fields').fill('hostname,site,cluster_name,cluster');
  await page.getByRole('button', { name: 'Add account' }).click();
  await expect(field('File path')).toBeFocused();
  await expect(
    page.getByText(/^\.\.\/\{\{ site \}\}\.csv is outside of the folders that targets write into \(.*exports\)/),
  ).toBeVisible();
  await field('File path').fill('inventory/{{ site|default("none") }}.csv');
  await page.getByRole('button', { name: 'Add account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'by-site' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'File path' })).toContainText(
    'exports/inventory/{{ site|default("none") }}',
  );

  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('0 files of this account.')).toBeVisible();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(page.getByText('Dry run done')).toBeVisible();
  await expect(page.getByText(/^Columns .*cluster_name.* are empty for all [\d,]+ hosts$/)).toBeVisible();
  await expect(page.getByText(/^hostname: .* Did you mean HOSTNAME\?$/)).toBeVisible();
  await expect(
    page.getByText(/^cluster_name: no host has a label of this name, and no rule sets it\. Did you mean .*cluster/),
  ).toBeVisible();
  await expect(page.getByText('How a file would begin is shown of the first 5 that change.')).toBeVisible();
  await expect(page.getByText('How it would begin')).toHaveCount(5);
  await expect(page.getByRole('row', { name: 'separator' })).toBeHidden();
  await page.getByRole('region', { name: 'Settings' }).locator('summary').click();
  await expect(page.getByRole('row', { name: 'separator' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'hostmaster' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Export now' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(/As the dry run shows, [\d,]+ files are written, with [\d,]+ hosts in all\./);
  await question.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Export done')).toBeVisible();
});

test('files that an export publishes are listed with their addresses, and shown', { tag: '@thorough' }, async ({
  open,
  service,
}) => {
  const { place } = service;
  const settings = {
    path: '{{ site|default("none") }}/hosts.csv',
    shape: 'csv',
    fields: 'HOSTNAME,site',
    publish: 'true',
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  await place.done(['account', 'add', 'lists', '--type', 'files', ...set]);
  const page = await open('/accounts/lists');
  await expect(page.getByRole('region', { name: 'Export' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Published files' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Export now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const published = page.getByRole('region', { name: 'Published files' });
  const row = published.getByRole('row', { name: 'codfw/hosts.csv' });
  await expect(row).toContainText('/api/v1/published/lists/codfw%2Fhosts.csv');
  await expect(row.getByRole('button', { name: 'Copy address of codfw/hosts.csv' })).toBeVisible();
  await row.getByRole('button', { name: 'Show codfw/hosts.csv' }).press('Enter');
  await expect(published.getByRole('region', { name: 'Contents of codfw/hosts.csv' })).toContainText('HOSTNAME,site');
});

test('who may only read sees no buttons that write, and others are told whose this is', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/accounts/api', 'reader');
  await expect(page.getByRole('heading', { level: 1, name: 'api' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Delete|Disable/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /Edit|New host/ })).toHaveCount(0);
  const other = await open('/accounts', 'objects');
  await expect(other.getByText('This is for administrators')).toBeVisible();
});

test('a file that is on the service is chosen instead of typed', { tag: '@thorough' }, async ({
  open,
  name,
  service: { place },
}) => {
  await place.write(`data/imports/${name()}.csv`, `host,site\n${name('-1')},fra\n`);
  for (const address of ['/accounts/new?type=csv', '/accounts/new?type=csv&form=plain']) {
    const page = await open(address);
    await expect(page.getByText('Files of the service are read from data/imports')).toBeVisible();
    await page.getByRole('combobox', { name: 'A file that is there' }).fill(name());
    await page.getByRole('option', { name: `data/imports/${name()}.csv` }).click();
    await expect(page.getByRole('textbox', { name: 'File path', exact: true })).toHaveValue(
      `data/imports/${name()}.csv`,
    );
  }
  const page = await open('/accounts/new?type=json_file&form=plain');
  await expect(page.getByText('Files are written below data/exports')).toBeVisible();
});

test('a source is tried before its account is saved', { tag: '@thorough' }, async ({
  open,
  name,
  service: { place },
}) => {
  await place.write(`data/imports/${name()}.csv`, `host,site\n${name('-1')},fra\n,ber\n`);
  const page = await open('/accounts/new?type=csv&form=plain');
  await page.getByRole('textbox', { name: 'File path', exact: true }).fill('data/imports/nowhere.csv');
  await page.getByRole('button', { name: 'Test before saving' }).click();
  await expect(page.getByRole('alert', { name: 'That did not work' })).toContainText('nowhere.csv does not exist');
  await page.getByRole('textbox', { name: 'File path', exact: true }).fill(`data/imports/${name()}.csv`);
  await page.getByRole('button', { name: 'Test before saving' }).click();
  const records = page.getByRole('table', { name: 'First records' });
  await expect(records.getByRole('row', { name: new RegExp(name('-1')) })).toContainText('fra');
  await expect(records).toContainText('skipped:');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name());
  await page.getByRole('button', { name: 'Add account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: name() })).toBeVisible();
});

test('who adds a source sees what hosts come from, and the rest when they ask for it', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/accounts/new?kind=source');
  await expect(page.getByRole('region', { name: 'Sources', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Targets', exact: true })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Logins' })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Find a type' }).fill('netbox');
  await page.getByRole('textbox', { name: 'Find a type' }).fill('');
  await page.getByRole('button', { name: 'Also show targets, notifications and logins' }).click();
  await expect(page.getByRole('region', { name: 'Targets', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeVisible();
  // A card far below leads to the beginning of its form.
  await page.getByRole('region', { name: 'Targets', exact: true }).getByRole('radio').last().click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
});

test('a text that is hard to begin has an example, while its field is empty', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/accounts/new?type=rest_target');
  const offer = page.getByRole('button', { name: 'Begin with an example: Kinds of objects' });
  await offer.press('Enter');
  const field = page.getByRole('textbox', { name: /objects$/ });
  await expect(field).toHaveValue(/^- kind: server/);
  await expect(offer).toHaveCount(0);
  await field.fill('');
  await expect(offer).toBeVisible();
});
