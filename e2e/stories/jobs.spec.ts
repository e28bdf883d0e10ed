import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { answeringServer } from '../../src/testing/faulty-server.ts';
import { operate, PASSWORD } from '../support/admin.ts';
import { RunningService } from '../support/running-service.ts';
import { expect, pictures, test } from './pictures.ts';

/** A press of the pointer is a click; keys are none. */
const COUNT = `(() => {
  if (window.counts) return;
  window.counts = true;
  addEventListener('pointerdown', () => { sessionStorage.clicks = 1 + Number(sessionStorage.clicks ?? 0); }, true);
})()`;

/** Counts the clicks of a person who begins on the overview. */
async function begin(page: Page): Promise<void> {
  await page.addInitScript(COUNT);
  await page.goto('/admin/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.evaluate('sessionStorage.clicks = 0');
}

const clicks = (page: Page) => page.evaluate<number>('Number(sessionStorage.clicks)');

/** Opens a section of the menu, and the menu first where it is folded. */
async function section(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });
  const menu = page.getByRole('button', { name: 'Navigation' });
  if (await menu.isVisible()) await menu.click();
  await link.click();
}

const hosts = (page: Page) => page.getByRole('table', { name: 'Hosts' });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true });

async function logIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill('root');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
}

test('the sample shows a source, its hosts, its rules and what is served', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/');
  await begin(page);
  await expect(page.getByRole('region', { name: 'Sources and targets' })).toContainText('wikimedia');
  await expect(page.getByRole('img', { name: /^964 hosts of wikimedia/ })).toBeVisible();
  await section(page, 'Rules');
  await expect(page.getByRole('link', { name: 'Core data centres' })).toBeVisible();
  await section(page, 'Inventory');
  await page.getByRole('link', { name: 'automation', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'automation' })).toBeVisible();
  expect(await clicks(page)).toBe(3);
});

test('one field finds hosts by name, value, address, conditions, groups and what rules make of them', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  await api.save(name('-a'), 'api', { ip: '10.77.3.4', rack: name('R1'), cpus: 16 });
  await api.save(name('-b'), 'api', { ip: '10.77.9.9', rack: name('R2'), cpus: 4 });
  const page = await open('/');
  const finds = async (query: string, ...found: readonly string[]) => {
    await search(page).fill(query);
    await expect(hosts(page).getByRole('link')).toHaveText(found);
  };
  await begin(page);
  await section(page, 'Hosts');
  await finds(name('-a'), name('-a'));
  await finds(`rack:${name('R2')}`, name('-b'));
  await finds(`10.77.3.4 ${name()}`, name('-a'));
  await finds(`ip:10.77.0.0/16 ${name()}`, name('-a'), name('-b'));
  await finds(`(rack:${name('R1')} OR rack:${name('R2')}) cpus>8 -ip:10.77.9.9`, name('-a'));
  await search(page).fill('group:site_drmrs');
  await expect(page.getByRole('status').filter({ hasText: '20 found' })).toBeVisible();
  expect(await clicks(page)).toBe(1);
  await search(page).fill('tier:core');
  await page.getByRole('button', { name: /^Show \d+ hosts with served.tier:core$/ }).click();
  await expect(search(page)).toHaveValue('served.tier:core');
  await expect(hosts(page).getByRole('link').first()).toBeVisible();
  expect(await clicks(page)).toBe(2);
});

test('alternatives of which none is found are no missing values', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/hosts?where=(site:eqiad OR site:codfw) cluster:no-such');
  await expect(page.getByText('No active host matches')).toBeVisible();
  await expect(page.getByText('values were not found')).toHaveCount(0);
});

test('what changed in the last two hours is two clicks away, with its values', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  await api.save(name(), 'api', { rack: 'R1' });
  await api.save(name(), 'api', { rack: name('R2') });
  const page = await open('/');
  await begin(page);
  await section(page, 'Changes');
  await page.getByRole('button', { name: 'Last 2 hours' }).click();
  await expect(page.getByRole('button', { name: 'Last 2 hours', pressed: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(name('R2'));
  await pictures(page, 'last-two-hours');
  await page.getByRole('link', { name: 'Hosts created in the last 2 hours' }).click();
  await search(page).fill(`created<2h ${name()}`);
  await expect(hosts(page).getByRole('link')).toHaveText([name()]);
  expect(await clicks(page)).toBe(3);
});

test('all sources that failed are imported again at once', { tag: '@thorough' }, async ({
  open,
  name,
  service: { place },
}) => {
  const page = await open('/');
  for (const account of [name('-a'), name('-b')]) {
    const settings = { path: `data/imports/${account}.csv`, hostname_field: 'host' };
    await operate(page, 'accounts/add-account', { name: account, type: 'csv', settings });
    await operate(page, 'imports/import-account', { account });
    await place.write(settings.path, `host\n${account}-1\n`);
  }
  await begin(page);
  const all = page.getByRole('button', { name: /^Import all \d+ failed sources again$/ });
  await expect(all).toBeVisible();
  await pictures(page, 'failed-sources');
  await all.click();
  for (const account of [name('-a'), name('-b')]) {
    await expect(page.getByRole('img', { name: `Last runs of ${account}:` })).toHaveAccessibleName(/the newest done/);
  }
  expect(await clicks(page)).toBe(1);
});

test('what somebody did last week is a file, and so is what everybody may do', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/');
  await begin(page);
  await section(page, 'Logs');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByRole('searchbox', { name: 'User' }).fill('root');
  await page.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await expect(page).toHaveURL(/actor=root/);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const choice = page.getByRole('menuitem').first();
  if (await choice.isVisible()) await choice.click();
  expect((await downloaded).suggestedFilename()).toMatch(/^muster-audit\./);
  expect(await clicks(page)).toBeLessThanOrEqual(6);

  await section(page, 'Users');
  const users = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await users).suggestedFilename()).toBe('users.csv');
  await expect(page.getByRole('columnheader', { name: 'Last login' })).toBeVisible();
});

test('a rule on paper has its values, and nothing to try out', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/');
  await begin(page);
  await section(page, 'Rules');
  await page.getByRole('link', { name: 'Core data centres' }).click();
  const trial = page.getByRole('heading', { name: 'Before saving' });
  await expect(trial).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('group', { name: 'outcome 1' }).getByLabel('attribute_value')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Core data centres');
  await expect(trial).toBeHidden();
  expect(await clicks(page)).toBe(2);
});

test('hosts without an owner are counted by site, and warranties end within 90 days', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await api.save(name('-a'), 'api', { lot: name(), site: 'fra', warranty: inDays(30), owner: 'ops' });
  await api.save(name('-b'), 'api', { lot: name(), site: 'fra', warranty: inDays(400) });
  const page = await open('/');
  await begin(page);
  await section(page, 'Hosts');
  await search(page).fill(`lot:${name()}`);
  const facets = page.getByRole('region', { name: 'Facets' });
  await facets.getByRole('region', { name: 'owner' }).getByRole('button', { name: /^none/ }).click();
  await expect(hosts(page).getByRole('link')).toHaveText([name('-b')]);
  await expect(facets).toContainText('fra');
  expect(await clicks(page)).toBe(2);
  await search(page).fill(`lot:${name()} warranty<+90d`);
  await expect(hosts(page).getByRole('link')).toHaveText([name('-a')]);
});

test('a list with its columns is sent as a file by a cron group', { tag: '@thorough' }, async ({ open, api, name }) => {
  await api.save(name('-a'), 'api', { rack: name('R1') });
  const server = await answeringServer(() => ({ body: '' }));
  const page = await open('/');
  await operate(page, 'accounts/add-account', { name: name(), type: 'webhook', settings: { url: server.address } });
  await begin(page);
  await page.goto(`/admin/hosts?where=${name('-')}&columns=rack`);
  await page.getByRole('button', { name: 'Saved' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved searches' });
  await dialog.getByLabel('Save this search as').fill(name('list'));
  await dialog.getByLabel('Send it as a CSV file').fill(name());
  await page.getByRole('option', { name: name(), exact: true }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('link', { name: name('list'), exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await section(page, 'Cron groups');
  await page.getByRole('link', { name: 'New group' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name());
  await page.getByRole('combobox', { name: 'Job 1', exact: true }).fill('Report');
  await page.getByRole('option', { name: 'Report' }).click();
  await page.getByRole('combobox', { name: 'Account of job 1' }).fill(name());
  await page.getByRole('option', { name: name(), exact: true }).click();
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(JSON.stringify(server.requests)).toContain(name('R1'));
  expect(await clicks(page)).toBeLessThanOrEqual(10);
  await server.close();
});

test('NetBox is connected with an API token', { tag: '@thorough' }, async ({ open, name }) => {
  const server = await answeringServer(() => ({ body: JSON.stringify({ count: 0, next: null, results: [] }) }));
  const page = await open('/');
  await begin(page);
  await section(page, 'Accounts');
  await page.getByRole('link', { name: 'New account' }).click();
  await page.getByRole('radio', { name: /^NetBox/ }).click();
  await page.getByRole('textbox', { name: 'Name of the account' }).fill(name());
  await page.getByRole('textbox', { name: /^Address/ }).fill(server.address);
  await page.getByLabel('API token').fill('sesame-of-netbox');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect.poll(() => JSON.stringify(server.requests)).toContain('sesame-of-netbox');
  expect(await clicks(page)).toBe(4);
  await server.close();
});

test('names of a ticket are pasted, archived together and brought back', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const names = Array.from({ length: 40 }, (_, index) => name(`-${index}`));
  await api.post('/objects/bulk', { account: 'api', objects: names.map((hostname) => ({ hostname, labels: {} })) });
  const page = await open('/');
  await begin(page);
  await section(page, 'Hosts');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify([...names, name('gone')].join('\n'))})`);
  await search(page).press('Control+V');
  await expect(page.getByText(`1 of 41 values were not found: ${name('gone')}`)).toBeVisible();
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: 'Archive…' }).click();
  await page.getByRole('dialog', { name: 'Archive 40 hosts?' }).getByRole('button', { name: 'Archive' }).click();
  await expect.poll(async () => (await api.get(`/objects/${names[7]}`)).status).toBe(404);
  expect(await clicks(page)).toBe(4);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await api.get(`/objects/${names[7]}`)).status).toBe(200);
});

test('on a phone a serial number leads to rack and unit, and an imported value is corrected', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  await api.save(name(), 'api', { serial: name('SN'), rack: 'R07', unit: 12 });
  const page = await open('/');
  await page.setViewportSize({ width: 390, height: 844 });
  await begin(page);
  await section(page, 'Hosts');
  await search(page).fill(name('SN'));
  await hosts(page).getByRole('link', { name: name() }).click();
  const labels = page.getByRole('table', { name: 'Labels of this host' });
  await expect(labels.getByRole('row').filter({ hasText: 'R07' })).toBeInViewport();
  await expect(labels.getByRole('row').filter({ hasText: 'unit' })).toBeInViewport();
  expect(await clicks(page)).toBe(3);

  await page.goto('/admin/hosts/mw1349.eqiad.wmnet');
  await page.getByRole('button', { name: 'Correct site…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct site of mw1349.eqiad.wmnet' });
  await dialog.getByLabel('Value', { exact: true }).fill(name('site'));
  await dialog.getByRole('button', { name: 'Correct', exact: true }).click();
  await expect(labels).toContainText(name('site'));
  await operate(page, 'hosts/correct-host', { hostname: 'mw1349.eqiad.wmnet', attribute: 'site', value: 'eqiad' });
  await page.reload();
  await labels.getByRole('button', { name: 'Remove correction' }).click();
  await expect(labels).not.toContainText('corrected');
});

test('all schedules are paused until an hour, and start again', { tag: '@thorough' }, async ({ open, api, name }) => {
  const jobs = [{ name: 'tidy', command: 'Maintenance' }];
  await api.post('/rules/cron_groups', { name: name(), enabled: true, interval: 'daily', jobs });
  const page = await open('/');
  await begin(page);
  await section(page, 'Cron groups');
  await page.getByRole('button', { name: 'Pause all…' }).click();
  await page.getByLabel('Until').fill('2099-01-02T02:00');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: name() })).toContainText('paused');
  expect(await clicks(page)).toBe(3);
  await page.getByRole('button', { name: 'End the pause of all' }).click();
  await expect(page.getByText('paused', { exact: true })).toHaveCount(0);
});

test('texts of every kind are shown as they are', { tag: '@thorough' }, async ({ open, api, name }) => {
  const texts = ['<script>window.ran = true</script>', 'مرحبا بالعالم', '🚒 fire', 'x'.repeat(5000), '{{ 7 * 7 }}'];
  await api.save(name(), 'api', Object.fromEntries(texts.map((text, index) => [`odd${index}`, text])));
  const page = await open(`/hosts?where=${name()}`);
  await page.evaluate('window.ran = false');
  await hosts(page).getByRole('link', { name: name() }).click();
  const labels = page.getByRole('table', { name: 'Labels of this host' });
  for (const text of texts.filter(({ length }) => length < 100)) await expect(labels).toContainText(text);
  expect(await page.evaluate('window.ran')).toBe(false);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

test('a playbook runs for the hosts of a search, is stopped, and runs again', { tag: '@thorough' }, async ({
  browser,
  freshPlace,
}) => {
  // In place of the real program, which is tested elsewhere: one that never ends by itself.
  const place = await freshPlace({ SERVICE_PLAYBOOK_DIR: 'playbooks', SERVICE_ANSIBLE_PLAYBOOK: './plays' });
  await place.write('playbooks/playbooks.yml', 'playbooks: [{file: site.yml, name: Site}]\n');
  await place.write('playbooks/site.yml', '- hosts: all\n');
  const program = place.path('plays');
  await writeFile(program, '#!/bin/sh\necho "PLAY [all]"\nexec sleep 300\n', { mode: 0o755 });
  const running = await RunningService.start(place, { SERVICE_ANSIBLE_PLAYBOOK: program });
  const page = await browser.newPage({ baseURL: running.url, reducedMotion: 'reduce' });
  await page.goto('/admin/');
  await logIn(page);
  for (const hostname of ['web-1', 'db-1'])
    await operate(page, 'hosts/save-host', { hostname, account: 'crm', labels: { role: hostname.split('-')[0] } });
  await begin(page);
  await section(page, 'Playbooks');
  await page.getByRole('button', { name: 'Run Site' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Search', { exact: true }).click();
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('role:web');
  await dialog.getByRole('checkbox', { name: /check mode/ }).uncheck();
  await dialog.getByRole('button', { name: 'Run for 1 host' }).click();
  await expect(dialog.getByRole('region', { name: 'Output' })).toContainText('PLAY [all]');
  await pictures(page, 'playbook-that-runs');
  expect(await clicks(page)).toBe(5);
  await dialog.getByRole('button', { name: 'Stop the run' }).click();
  await expect(dialog.getByText('It has ended: cancelled')).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('main').getByRole('table').last().getByRole('link').first().click();
  await page.getByRole('button', { name: 'Run again…' }).click();
  await expect(dialog.getByText('1 host: web-1')).toBeVisible();
  await page.close();
  await running.stop();
});

test('pages say that the service is away, and go on when it is back', { tag: '@thorough' }, async ({
  browser,
  freshPlace,
}) => {
  const place = await freshPlace();
  const running = await RunningService.start(place);
  const page = await browser.newPage({ baseURL: running.url, reducedMotion: 'reduce' });
  await page.goto('/admin/');
  await logIn(page);
  await section(page, 'Hosts');
  await expect(search(page)).toBeVisible();
  await running.stop();
  await search(page).fill('web');
  await expect(page.getByRole('alert').first()).toBeVisible({ timeout: 30_000 });
  await pictures(page, 'service-away');
  const again = await RunningService.start(place, { SERVICE_HTTP_PORT: new URL(running.url).port });
  const retry = page.getByRole('button', { name: /try again/i });
  if (await retry.first().isVisible()) await retry.first().click();
  await expect(search(page)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 60_000 });
  await page.close();
  await again.stop();
});

test('a hundred thousand hosts are imported, searched and opened', { tag: '@thorough' }, async ({
  browser,
  freshPlace,
}) => {
  test.setTimeout(300_000);
  const place = await freshPlace();
  const rows = Array.from({ length: 100_000 }, (_, index) => `h${index}.example.org,s${index % 70},${index % 64}`);
  await place.write('many.csv', `host,site,cpus\n${rows.join('\n')}\n`);
  await place.done(['account', 'add', 'many', '--type', 'csv', '--set', 'path=many.csv']);
  const running = await RunningService.start(place);
  const page = await browser.newPage({ baseURL: running.url, reducedMotion: 'reduce' });
  await page.goto('/admin/accounts/many');
  await logIn(page);
  await page.getByRole('button', { name: 'Import now' }).click();
  await expect(page.getByText('Import done')).toBeVisible({ timeout: 180_000 });
  await section(page, 'Hosts');
  await search(page).fill('site:s13 cpus>60');
  await expect(hosts(page).getByRole('link').first()).toBeVisible({ timeout: 30_000 });
  await search(page).fill('h77777.example.org');
  await hosts(page).getByRole('link', { name: 'h77777.example.org' }).click({ timeout: 30_000 });
  await expect(page.getByRole('heading', { level: 1, name: 'h77777.example.org' })).toBeVisible();
  await page.close();
  await running.stop();
});
