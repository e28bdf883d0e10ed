import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { expect, operate, test } from '../support/admin.ts';
import { allNeeds } from './support/needs.ts';

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
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  const needs = await allNeeds(page);
  const need = (text: string) => needs.getByRole('listitem').filter({ hasText: text });
  // The job of the cron group fails for the same reason.
  const failedImport = need('nowhere.csv does not exist').filter({ hasText: `import failed${account}` });
  await expect(failedImport).toBeVisible();
  await expect(need(name('-group'))).toContainText('cron failed');
  await expect(need("'nothing' is undefined")).toContainText('rule error');
  await expect(page.getByRole('img', { name: `Last runs of ${account}:` })).toHaveAccessibleName(/the newest failed/);
  await failedImport.getByRole('button', { name: `Import again: ${account}` }).click();
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
    'Hosts over time',
  ]);
  await expect(syncer.getByText('Not seen for a day')).toBeVisible();
});

test('hosts over time are a chart and a table, and data quality leads to the hosts that it counts', {
  tag: '@thorough',
}, async ({ open, service, name }) => {
  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const database = new Database(service.place.path('data/muster.db'));
  const keep = database.prepare('INSERT OR REPLACE INTO host_counts (day, at, accounts) VALUES (?, 0, ?)');
  const { id } = database.prepare(`SELECT id FROM rules WHERE type = 'accounts' AND name = 'wikimedia'`).get() as {
    readonly id: string;
  };
  for (const [back, hosts] of [
    [9, 880],
    [3, 900],
  ] as const) {
    keep.run(day(back), JSON.stringify([{ accountId: id, hosts, objects: 0, archived: 7 }]));
  }
  database.close();

  const page = await open('/');
  const section = page.getByRole('region', { name: 'Hosts over time' });
  await section.scrollIntoViewIfNeeded();
  await expect(
    section.getByRole('img', { name: new RegExp(`^Hosts: 880 on ${day(9)}, \\d+ on ${day(0)}`) }),
  ).toBeVisible();
  await expect(section.locator('canvas')).toBeVisible();
  await section.getByText('Table', { exact: true }).click();
  const third = section.getByRole('row').filter({ hasText: day(3) });
  await expect(third).toContainText('+20');
  const sources = page.getByRole('region', { name: 'Sources and targets' });
  await expect(sources.getByRole('img', { name: /hosts of wikimedia, 880 9 days ago$/ })).toBeVisible();

  const label = name('-label');
  const others = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${label}-${index}`, 'same']));
  const host = (hostname: string, value: string) => ({
    hostname,
    labels: { ...others, [label]: value, serial_number: name() },
  });
  const objects = [
    host(`${name()}.example.org`, 'Berlin'),
    host(`${name()}.example.net`, 'berlin'),
    host(name('-3'), ''),
  ];
  await operate(page, 'hosts/save-hosts-bulk', { account: 'api', objects });
  await section.getByRole('link', { name: /^Data quality/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data quality' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: label }).filter({ hasText: '“Berlin” (1)' })).toBeVisible();
  const duplicates = page.getByRole('table', { name: 'May be the same host' });
  const serial = duplicates.getByRole('row').filter({ hasText: 'same serial number' }).filter({ hasText: name() });
  await serial.getByRole('link', { name: /^3 hosts with the same serial number/ }).click();
  await expect(page.getByText('3 found')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: name() })).toHaveCount(3);

  // The counts beside the hosts are of the same search.
  const facets = page.getByRole('region', { name: 'Facets' });
  await operate(page, 'hosts/archive-hosts', { hostnames: [name('-3')] });
  await page.reload();
  await facets.getByRole('button', { name: 'archived 1' }).click();
  await expect(page).toHaveURL(/state=archived/);
  await expect(page.getByText('1 found')).toBeVisible();
  await page.goto('/admin/hosts?where=cluster:kubernetes');
  const group = facets.getByRole('region', { name: 'Group' }).getByRole('button').first();
  await group.click();
  await expect(page).toHaveURL(/group/);
  await expect(group).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expect(group).toHaveAttribute('aria-pressed', 'false');

  // A label that is not among those that are offered is counted for who asks.
  await page.goto(`/admin/hosts?where=name:${name()}*`);
  await facets.getByRole('combobox', { name: 'Another label' }).click();
  const another = page.getByRole('option', { name: `${label}-9` });
  const field = (await another.textContent()) ?? '';
  await page.keyboard.type(field);
  await expect(page.getByRole('listbox', { name: 'Another label' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(facets.getByRole('region', { name: field })).toBeVisible();
  await page.reload();
  await facets.getByRole('button', { name: `Without ${field}` }).click();
  await expect(facets.getByRole('region', { name: field })).toHaveCount(0);
});

/** Counts the files and answers that a page has loaded, and their bytes as transferred. */
async function loadedBy(page: Page): Promise<{ readonly files: number; readonly bytes: number }> {
  return page.evaluate<{ files: number; bytes: number }>(`(() => {
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return { files: loaded.length, bytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  })()`);
}

for (const locale of ['en', 'de']) {
  test(`the login page is small (${locale})`, async ({ browser, service }) => {
    const context = await browser.newContext({ baseURL: service.running.url, locale });
    const page = await context.newPage();
    await page.goto('/admin');
    await expect(page.locator('input[type=password]')).toBeVisible();
    await page.waitForLoadState('networkidle');
    const { files, bytes } = await loadedBy(page);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(200_000);
    expect(files).toBeLessThanOrEqual(15);
    await context.close();
  });
}

test('the overview is small, and a page whose script cannot be loaded says so', async ({ open }) => {
  const page = await open('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await allNeeds(page);
  const { bytes } = await loadedBy(page);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(300_000);

  // The browser and the component library rightly complain from here on.
  page.removeAllListeners('console');
  page.removeAllListeners('pageerror');
  await page.route('**/admin/assets/room-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'System' }).click();
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded.');
  await page.unroute('**/admin/assets/room-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible();
});

test('exact times of sources stay within their panel', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/');
  const panel = page.getByRole('region', { name: 'Sources and targets' });
  const time = panel.getByRole('listitem').filter({ hasText: 'wikimedia' }).locator('time');
  await expect(time).toBeVisible();
  await page.keyboard.press('t');
  await expect(time).toHaveText(/^\d{4}-\d\d-\d\d/);
  const [inside, around] = [await time.boundingBox(), await panel.boundingBox()];
  expect((inside?.x ?? 0) + (inside?.width ?? 9999)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
});

test('a known problem is snoozed, and shown again by hand', { tag: '@thorough' }, async ({
  open,
  service: { place },
}) => {
  await place.done(['account', 'add', 'broken', '--type', 'csv', '--set', 'path=data/imports/none.csv']);
  await place.muster(['import', 'broken']);
  const page = await open('/');
  const needs = page.getByRole('region', { name: /^Needs attention/ });
  const row = needs.getByRole('listitem').filter({ hasText: 'broken' });
  await expect(row).toContainText('import failed');
  await row.getByRole('button', { name: 'Snooze broken' }).click();
  await page.getByRole('menuitem', { name: 'For 8 hours' }).click();
  await expect(row).toBeHidden();
  await needs.getByRole('button', { name: 'Show 1 snoozed' }).click();
  await expect(row).toContainText('snoozed by root');
  await row.getByRole('button', { name: 'End the snooze of broken' }).click();
  await expect(row).toContainText('import failed');
  await place.done(['account', 'delete', 'broken']);
});
