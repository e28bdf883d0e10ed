import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, operate, test } from '../support/admin.ts';

const tableOfHosts = (page: Page) => page.getByRole('table', { name: 'Hosts' });

test('somebody finds hosts by name, label and account, and comes back by the back button', async ({
  open,
  api,
  name,
}) => {
  const [web, db] = [name('-web.example.org'), name('-db.example.org')];
  await api.save(web, 'api', { stage: web, os: 'debian' });
  await api.save(db, 'api', { os: 'debian' });
  const page = await open('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Hosts' }).click();
  await page.getByLabel('Search', { exact: true }).fill(name().toUpperCase());
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([db, web]);
  await expect(page.getByRole('status')).toHaveText('2 found');
  await page.getByLabel('Search', { exact: true }).fill(`stage=${web}`);
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([web]);
  await tableOfHosts(page).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: web })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue(`stage=${web}`);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Account' }).fill('wiki');
  await page.getByRole('option', { name: 'wikimedia' }).click();
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(page).toHaveURL(/\/admin\/hosts$/);
});

test('a laptop shows fifteen hosts, a phone the first in its upper half, and two keys lead from the search to it', async ({
  open,
}) => {
  const page = await open('/hosts?account=wikimedia');
  await page.setViewportSize({ width: 1280, height: 720 });
  const links = tableOfHosts(page).getByRole('link');
  await expect(links).toHaveCount(50);
  const pager = await page.getByRole('navigation', { name: 'Pages of hosts' }).boundingBox();
  const fifteenth = await links.nth(14).boundingBox();
  expect((fifteenth?.y ?? 0) + (fifteenth?.height ?? 0)).toBeLessThan(pager?.y ?? 0);
  await page.getByLabel('Search', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(links.first()).toBeFocused();

  await page.mouse.wheel(0, 600);
  await expect(page.getByRole('columnheader', { name: 'Hostname' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const first = await links.first().boundingBox();
  expect(first?.y ?? 844).toBeLessThan(422);
});

test('with Shift a box takes the hosts since the last one along', async ({ open, api, name }) => {
  for (const letter of ['a', 'b', 'c', 'd']) await api.save(name(`-${letter}`), 'api', {});
  const page = await open(`/hosts?where=${name('-')}`, 'objects');
  await page.getByRole('checkbox', { name: `Select ${name('-a')}` }).click();
  await page.getByRole('checkbox', { name: `Select ${name('-c')}` }).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('group', { name: 'Selection' })).toContainText('3 selected');
  await expect(page.getByRole('checkbox', { name: `Select ${name('-d')}` })).not.toBeChecked();
});

test('a value that is counted becomes a condition, and columns, order and conditions stand in the address', {
  tag: '@thorough',
}, async ({ open }) => {
  const page = await open('/hosts?account=wikimedia');
  const all = await page.getByText(/^[\d,]+ in all$/).innerText();
  const site = page.getByRole('region', { name: 'site', exact: true });
  const codfw = site.getByRole('button', { name: /^codfw/ });
  const count = (await codfw.innerText()).match(/\d+$/)?.[0];
  await codfw.press('Enter');
  await expect(page.getByRole('status')).toHaveText(`${count} found`);
  await expect(codfw).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Columns' }).press('Enter');
  await page.getByRole('combobox', { name: 'Columns' }).pressSequentially('cluster');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const header = tableOfHosts(page).getByRole('columnheader', { name: 'cluster', exact: true });
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/where=site%3Acodfw.*columns=.*cluster.*sort=cluster|sort=cluster.*columns=.*cluster/);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const first = (await tableOfHosts(page).getByRole('row').nth(1).innerText()).trim();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
  expect(lines[0]).toBe('name,account,seen,labels,cluster');
  expect(lines).toHaveLength(Number(count) + 2);
  expect(first.startsWith(`${lines[1]?.split(',')[0]}`)).toBe(true);
  await page.reload();
  await expect(tableOfHosts(page).getByRole('row').nth(1)).toContainText(first.split(/\s/)[0] as string);
  await page.getByRole('button', { name: 'Remove site:codfw' }).click();
  await expect(page.getByRole('status')).toHaveText(all);
  // What was chosen last is remembered in this browser.
  await page.goto('/admin/hosts');
  await expect(header).toBeVisible();
});

test('groups are counted of the inventory that is chosen', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/hosts?account=wikimedia');
  const groups = page.getByRole('region', { name: 'Group', exact: true });
  const provider = groups.getByRole('combobox', { name: 'Inventory provider' });
  await expect(provider).toHaveValue('automation');
  const names = await provider.getByRole('option').allInnerTexts();
  const other = names.find((name) => name !== 'automation') ?? '';
  const counted = page.waitForRequest(
    (request) =>
      /group/.test(`${request.url()}${request.postData()}`) && `${request.url()}${request.postData()}`.includes(other),
  );
  await provider.selectOption(other);
  await counted;
  await expect(page).toHaveURL(new RegExp(`provider=${other}`));
  await expect(provider).toHaveValue(other);
  await provider.selectOption('automation');
  await expect(page).not.toHaveURL(/provider=/);
});

test('selected hosts are archived and restored at once, and a search is saved and shared', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const hosts = ['a', 'b', 'c'].map((letter) => name(`-${letter}`));
  for (const host of hosts) await api.save(host, 'api', {});
  const page = await open(`/hosts?where=${name('-')}`, 'objects');
  await page.getByRole('checkbox', { name: `Select ${hosts[0]}` }).press(' ');
  await page.getByRole('checkbox', { name: `Select ${hosts[2]}` }).press(' ');
  await page.getByRole('button', { name: 'Archive…' }).click();
  const question = page.getByRole('dialog', { name: 'Archive 2 hosts?' });
  await expect(question.getByRole('listitem')).toHaveText([hosts[0] as string, hosts[2] as string]);
  await question.getByRole('button', { name: 'Archive' }).click();
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([hosts[1] as string]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tableOfHosts(page).getByRole('link')).toHaveText(hosts);

  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByLabel('Save this search as').fill(name());
  await page.getByLabel('Share it').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: name() })).toBeVisible();
  const reader = await open('/hosts', 'reader');
  await expect(reader.getByRole('button', { name: /Select/ })).toHaveCount(0);
  await reader.getByRole('button', { name: 'Saved', exact: true }).click();
  await reader.getByRole('dialog').getByRole('link', { name: name() }).click();
  await expect(tableOfHosts(reader).getByRole('link')).toHaveText(hosts);

  await page.goto(`/admin/hosts?where=${name('-')}`);
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: 'Archive…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.goto(`/admin/hosts?where=${name('-')}&state=archived`);
  await page.getByRole('checkbox', { name: `Select ${hosts[1]}` }).press(' ');
  await page.getByRole('button', { name: 'Delete for good…' }).click();
  const purge = page.getByRole('dialog', { name: 'Delete 1 host for good?' });
  await purge.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('Deleted 1 host')).toBeVisible();
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([hosts[0] as string, hosts[2] as string]);
});

test('long lists come in pages, forward and back', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/hosts?account=wikimedia');
  const links = tableOfHosts(page).getByRole('link');
  await expect(page.getByRole('status')).toHaveText(/^[\d,]+ in all$/);
  await expect(links).toHaveCount(50);
  const first = await links.first().innerText();
  const next = page.getByRole('button', { name: 'Next' }).first();
  await next.click();
  await expect(links.first()).not.toHaveText(first);
  const second = await links.first().innerText();
  await next.click();
  await expect(links.first()).not.toHaveText(second);
  await page.getByRole('button', { name: 'Previous' }).first().click();
  await expect(links.first()).toHaveText(second);
  await page.goBack();
  await page.goBack();
  await expect(links.first()).toHaveText(second);
  await page.reload();
  await page.getByRole('button', { name: 'Previous' }).first().click();
  await expect(links.first()).toHaveText(first);
  await page.getByLabel('Hosts on a page').selectOption('250');
  await expect(page).toHaveURL(/rows=250/);
  await expect(links).toHaveCount(250);
});

test('a query that finds nothing says what may be the matter', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/hosts?where=site:codfw or site:eqiad');
  await expect(page.getByText('OR, AND and NOT are written in capitals')).toBeVisible();
  await page.goto('/admin/hosts?where=tier:core');
  const served = page.getByRole('button', { name: /^Show [\d,]+ hosts with served\.tier:core$/ });
  const count = (await served.innerText()).match(/[\d,]+/)?.[0];
  await served.click();
  await expect(page).toHaveURL(/where=served\.tier/);
  await expect(page.getByRole('status')).toHaveText(`${count} found`);
  await page.goto('/admin/hosts?where=tier:of-no-host');
  await expect(page.getByRole('link', { name: 'Rules that use tier' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Show .* with served/ })).toHaveCount(0);
  await page.goto('/admin/hosts?where=tier:core');
  await page.getByRole('link', { name: 'Rules that use tier' }).click();
  await expect(page.getByRole('table', { name: 'Uses of tier' })).toContainText('Core data centres');
});

test('names that are pasted line by line are one search, and those without a host are named', async ({
  open,
  api,
  name,
}) => {
  const hosts = ['-p1.example.org', '-p2.example.org'].map(name);
  for (const host of hosts) await api.save(host, 'api', {});
  const page = await open('/hosts');
  const search = page.getByLabel('Search', { exact: true });
  await search.focus();
  const pasted = JSON.stringify([...hosts, name('-gone')].join('\n'));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${pasted})`);
  await search.press('Control+V');
  await expect(search).toHaveValue(`name:(${[...hosts, name('-gone')].join(' ')})`);
  await expect(tableOfHosts(page).getByRole('link')).toHaveText(hosts);
  await expect(page.getByText(`1 of 3 values were not found: ${name('-gone')}`)).toBeVisible();
});

test('a condition without its value yet leaves the list, and the field says what is missing', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const host = name('-half.example.org');
  await api.save(host, 'api', { stage: name('-half') });
  const page = await open('/hosts');
  const search = page.getByLabel('Search', { exact: true });
  await search.fill(host);
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([host]);
  await search.fill(`${host} stage:`);
  await expect(page.getByText('add a value after "stage')).toBeVisible();
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([host]);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await search.fill(`stage:${name('-ha')}`);
  await page.getByRole('button', { name: `Look for stage:${name('-ha')}*` }).click();
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([host]);
});

test('fields and values are offered while a search is typed, and nobody is shouted at meanwhile', {
  tag: '@thorough',
}, async ({ open }) => {
  const page = await open('/hosts');
  const search = page.getByLabel('Search', { exact: true });
  const offers = page.getByRole('listbox', { name: 'Suggestions' });
  await search.pressSequentially('sit');
  await expect(offers.getByRole('option', { name: /^site:\s*[\d,]+ hosts$/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(search).toHaveValue('site:');
  await expect(search).toBeFocused();
  await expect(offers.getByRole('option', { name: /^site:codfw/ })).toBeVisible();
  await search.pressSequentially('codf');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toHaveValue('site:codfw');
  await expect(page).toHaveURL(/where=site%3Acodfw/);
  await expect(page.getByRole('button', { name: 'Remove site:codfw' })).toBeVisible();

  await search.press('End');
  await search.pressSequentially(' changed:');
  await expect(offers.getByRole('option', { name: /^changed:yesterday/ })).toBeVisible();
  await expect(page.getByText('Showing the previous results: site:codfw')).toBeVisible();
  await expect(search).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(search).toHaveAttribute('aria-invalid', 'true');
  await search.press('End');
  await search.pressSequentially('tod');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toHaveValue('site:codfw changed:today');
  const link = page.getByRole('link', { name: 'the changes of these hosts' });
  await expect(link).toHaveAttribute('href', /\/changes\?where=site%3Acodfw&from=(%22)?\d{4}-\d\d-\d\d(%22)?&to=/);
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Changes' })).toBeVisible();
  await expect(page.getByLabel('Host', { exact: true }).or(page.getByRole('searchbox').first()).first()).toHaveValue(
    'site:codfw',
  );
});

test('a search that finds nothing among the active hosts goes on in the archive', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const host = name('-gone.example.org');
  await api.save(host, 'api', {});
  const page = await open(`/hosts/${host}`);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText(`Archived ${host}`)).toBeVisible();
  await page.goto(`/admin/hosts?where=${host}`);
  await expect(page.getByText('No active host matches')).toBeVisible();
  await page.getByRole('button', { name: 'Look everywhere, also in the archive' }).click();
  await expect(tableOfHosts(page).getByRole('link')).toHaveText([host]);
});

test('names and values of labels are offered, and a name that is none for others is remarked', {
  tag: '@thorough',
}, async ({ open }) => {
  const page = await open('/hosts/new?account=api');
  await page.getByLabel('Hostname').fill('web 01');
  await expect(page.getByText('Other systems may not take this name')).toBeVisible();
  await page.getByLabel('Hostname').fill('web-01.example.org');
  await expect(page.getByText('Other systems may not take this name')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add label' }).click();
  await page.keyboard.type('clust');
  await page.getByRole('option', { name: 'clusters', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Label clusters' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Value' }).fill('cache_up');
  await page.getByRole('option', { name: 'cache_upload', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Value' })).toHaveValue('cache_upload');
  await page.getByRole('combobox', { name: 'Name', exact: true }).fill('site');
  await page.getByRole('combobox', { name: 'Value' }).fill('codf');
  await expect(page.getByRole('option', { name: 'codfw', exact: true })).toBeVisible();
});

test('somebody creates a host and edits its labels by keyboard alone, and every type is kept', async ({
  open,
  api,
  name,
}) => {
  const host = name('.example.org');
  const page = await open('/hosts/new?account=api');
  const { keyboard } = page;
  await expect(page.getByLabel('Hostname')).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByText('Enter a hostname')).toBeVisible();
  await keyboard.type(host);
  await page.getByRole('button', { name: 'Add label' }).focus();
  const line = async (label: string, type: string, value: string): Promise<void> => {
    await keyboard.press('Enter');
    await keyboard.type(label);
    await keyboard.press('Tab');
    if (value !== '') await keyboard.type(value);
    await keyboard.press('Tab');
    await keyboard.type(type);
    await page.getByRole('button', { name: 'Add label' }).focus();
  };
  await line('os', 'Text', '12');
  await line('cpus', 'Number', '12');
  await line('virtual', 'True', 'false');
  await line('owner', 'Null', '');
  await line('roles', 'List', '');
  const roles = page.getByRole('group', { name: 'Label roles' });
  await roles.getByLabel('Value 1', { exact: true }).focus();
  await keyboard.type('web');
  await roles.getByRole('button', { name: 'Add value' }).press('Enter');
  await roles.getByLabel('Type of value 2').focus();
  await keyboard.type('Number');
  await keyboard.press('Shift+Tab');
  await keyboard.type('7');
  // Enter in a value is for another label: the host is not made before it is asked for.
  await keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Label new label' }).getByLabel('Name')).toBeFocused();
  await keyboard.type('rack');
  await keyboard.press('Tab');
  await keyboard.type('A1');
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: host })).toBeVisible();
  const created = await api.get(`/objects/${host}`);
  expect(created.body.labels).toEqual({
    os: '12',
    cpus: 12,
    virtual: false,
    owner: null,
    roles: ['web', 7],
    rack: 'A1',
  });

  const editing = page.getByRole('form', { name: 'Edit labels' });
  await keyboard.press('e');
  await expect(editing).toBeInViewport();
  await keyboard.press('Escape');
  await expect(editing).toHaveCount(0);
  await keyboard.press('e');
  await expect(editing).toBeFocused();
  const cpus = page.getByRole('group', { name: 'Label cpus' }).getByLabel('Value');
  await cpus.fill('12345678901234567890');
  await keyboard.press('Control+Enter');
  await expect(page.getByText('Too large to be stored exactly')).toBeVisible();
  await expect(cpus).toBeFocused();
  await cpus.fill('16');
  // As in the form of a new host; a line that nobody wrote into is none.
  await keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Label new label' }).getByLabel('Name')).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('table', { name: 'Labels of this host' })).toContainText('16');
  await expect(page.getByRole('button', { name: 'Edit labels' })).toBeFocused();
  expect((await api.get(`/objects/${host}`)).body.labels).toEqual({ ...created.body.labels, cpus: 16 });
});

test('labels that somebody else changed meanwhile are not written over', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const host = name();
  await api.save(host, 'api', { a: 1 });
  const page = await open(`/hosts/${host}`, 'objects');
  await page.getByRole('button', { name: 'Edit labels' }).click();
  await page.getByRole('group', { name: 'Label a' }).getByLabel('Value').fill('2');
  await api.save(host, 'api', { a: 1, b: 'new' });
  await page.getByRole('button', { name: 'Save labels' }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was saved');
  await page.getByRole('button', { name: 'Load the current labels' }).click();
  await page.getByRole('group', { name: 'Label a' }).getByLabel('Value').fill('3');
  await page.getByRole('button', { name: 'Save labels' }).click();
  await expect(page.getByRole('table', { name: 'Labels of this host' })).toContainText('new');
  expect((await api.get(`/objects/${host}`)).body.labels).toEqual({ a: 3, b: 'new' });
});

test('a host is archived, found in the archive and restored', { tag: '@thorough' }, async ({ open, api, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', {});
  const page = await open(`/hosts/${host}`, 'objects');
  await page.getByRole('button', { name: 'Archive' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('until someone restores it');
  await question.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByRole('main').getByText('No import and no API write brings it back')).toBeVisible();
  expect((await api.post(`/objects/${host}`, { account: 'api', labels: {} })).status).toBe(409);
  await page.goto(`/admin/hosts?state=archived&search=${host}`);
  await expect(tableOfHosts(page).getByRole('row').last()).toContainText('by hand');
  await page.getByRole('link', { name: host }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('active', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('article').first()).toContainText('restored by user objects');
  expect((await api.get(`/objects/${host}`)).status).toBe(200);

  await page.getByRole('button', { name: 'Archive' }).click();
  await question.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(question).toContainText('this cannot be undone');
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL(/\/admin\/hosts$/);
  await page.goto(`/admin/hosts/${host}`);
  await expect(page.getByRole('main')).toContainText('there is no host');
});

test('a label gets the value back that it had before a change', { tag: '@thorough' }, async ({ open, api, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'ber', os: 'debian' });
  await api.save(host, 'api', { site: 'fra', os: 'debian', note: 'moved' });
  const page = await open(`/hosts/${host}?tab=history`, 'objects');
  const change = page.getByRole('article', { name: /^labels/ });
  await change.getByRole('button', { name: 'Put the labels back' }).click();
  await expect(change).toHaveCount(2);
  expect((await api.get(`/objects/${host}`)).body.labels).toEqual({ site: 'ber', os: 'debian' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(change).toHaveCount(3);
  expect((await api.get(`/objects/${host}`)).body.labels).toMatchObject({ site: 'fra', note: 'moved' });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('region', { name: 'Last changes' })).toContainText(/labels by user \S+, 2 values/);
});

test('an explanation leads from a value to its rule and to the condition that decided', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'codfw', cluster: 'wikikube' });
  const page = await open(`/hosts/${host}`);
  await page.getByRole('tab', { name: 'Explain' }).click();
  const shown = page.getByRole('region', { name: 'Values that the inventory shows' });
  await expect(shown.getByRole('listitem', { name: 'site', exact: true })).toContainText('label from account api');
  const tier = shown.getByRole('listitem', { name: 'tier', exact: true });
  await expect(tier).toContainText('core');
  await tier.getByRole('button').click();
  const rule = page.getByRole('listitem', { name: 'Core data centres: hit' });
  await expect(rule).toBeFocused();
  await expect(rule).toContainText('attribute "site" is one of "eqiad,codfw" — site is codfw');
  await page.getByText('Did not hit').click();
  await expect(page.getByRole('listitem', { name: 'Points of presence: no hit' })).toContainText('site is codfw');
  await expect(rule).toBeHidden();
  await page.getByLabel('Find in the explanation').fill('short_name');
  await expect(shown.getByRole('listitem')).toHaveCount(1);
  await page.reload();
  await expect(shown.getByRole('listitem')).toHaveCount(1);
  await page.getByLabel('Inventory or export', { exact: true }).selectOption('databases');
  await expect(page.getByText('Not in inventory databases')).toBeVisible();
  await page.getByRole('tab', { name: 'Inventory variables' }).click();
  await expect(page.getByRole('table', { name: 'Variables from automation' })).toContainText('wikikube');
});

test('on paper stand the search, every label and the names of rules, black on white, and nothing to click on', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'codfw', cluster: 'wikikube', rack: 'A1', row: 'north', vendor: 'dell' });
  const page = await open(`/hosts?where=${host}&account=api&state=any`);
  await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', 'dark')`);
  await page.reload();
  const row = tableOfHosts(page).getByRole('row').nth(1);
  await expect(row.getByText('row: north')).toBeAttached();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');

  await page.emulateMedia({ media: 'print' });
  expect(await printedIn(page, 'main')).toEqual(
    expect.arrayContaining([`Search: ${host}`, 'Account: api · State: Active and archived']),
  );
  const printed = (await printedIn(page, 'main tbody tr')) as string[];
  expect(printed.filter((text) => !EXACT.test(text))).toEqual([
    expect.stringMatching(/^(?=.*row: north)(?=.*vendor: dell).*$/),
  ]);
  // Paper does not move on, so times are exact there, and it says when and where it was printed.
  expect(printed.filter((text) => EXACT.test(text))).not.toEqual([]);
  await expect(page.getByText(/^Printed \d{4}-\d\d-\d\d .*\/admin\/hosts\?where=/)).toBeVisible();
  await expect(page.locator('main thead button svg').first()).toBeHidden();
  await expect(row.getByText('row: north')).toBeHidden();
  await expect(page.getByRole('checkbox', { includeHidden: true }).first()).toBeHidden();
  await expect(page.getByText('Select', { exact: true })).toBeHidden();
  expect(await page.locator('.not-printed[data-label]').first().isVisible()).toBe(false);
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByRole('main')).toHaveCSS('background-color', 'rgb(255, 255, 255)');

  await page.emulateMedia({ media: 'screen' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.goto(`/admin/hosts/${host}?tab=explain`);
  const tier = page.getByRole('listitem', { name: 'tier', exact: true });
  await expect(tier).toContainText('Core data centres');
  await expect(page.locator('main .mantine-SegmentedControl-root').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(tier.getByText('rule “Core data centres”')).toBeVisible();
  await expect(page.locator('main .mantine-SegmentedControl-root').first()).toBeHidden();
});

const EXACT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** What stands on paper in place of fields, and of what the screen leaves out. */
function printedIn(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(
    `[...document.querySelectorAll('${selector} [data-printed]')].map((one) => JSON.parse(getComputedStyle(one, '::before').content))`,
  );
}

test('inventory sections are written and shown, and what is no JSON object is refused', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', {});
  const page = await open(`/hosts/${host}`);
  await page.getByRole('button', { name: 'Write a section' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Key').fill('facts');
  await form.getByLabel('Content').fill('{"cores": 12345678901234567890}');
  await form.getByRole('button', { name: 'Save the section' }).click();
  await expect(form).toContainText('cannot be stored exactly');
  await form.getByLabel('Content').fill('{"cores": 8, "disks": [{"name": "sda"}]}');
  await form.getByRole('button', { name: 'Save the section' }).click();
  await page.getByRole('region', { name: 'Inventory sections' }).getByRole('button', { name: 'facts' }).click();
  await expect(page.getByRole('table', { name: 'Section facts' })).toContainText('sda');
  expect((await api.get(`/objects/${host}`)).body.inventory).toEqual({ facts: { cores: 8, disks: [{ name: 'sda' }] } });
});

test('relations are added, followed and removed', { tag: '@thorough' }, async ({ open, api, name }) => {
  const [web, db] = [name('-web'), name('-db')];
  await api.save(web, 'api', {});
  await api.save(db, 'api', {});
  const page = await open(`/hosts/${web}?tab=relations`);
  await page.getByRole('combobox', { name: 'Other host' }).fill(name('-d'));
  await page.getByRole('option', { name: db }).click();
  await page.getByRole('button', { name: 'Add relation' }).click();
  await page.getByRole('table', { name: 'Relations from this host' }).getByRole('link', { name: db }).click();
  await expect(page.getByRole('heading', { level: 1, name: db })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Relations to this host' })).toContainText('Required by');
  await page.goBack();
  await page.getByRole('button', { name: `Remove Depends on ${db}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('It has no relations to others')).toBeVisible();
  await page.getByRole('combobox', { name: 'Other host' }).fill('no such host');
  await page.getByRole('button', { name: 'Add relation' }).click();
  const problem = page.getByRole('alert', { name: 'Not found' });
  await expect(problem).toContainText('there is no host no such host');
});

test('relations are walked in the graph, by keyboard too', { tag: '@thorough' }, async ({ open, api, name }) => {
  const [web, node, rack] = [name('-web'), name('-node'), name('-rack')];
  for (const host of [web, node, rack]) await api.save(host, 'api', {});
  const page = await open(`/hosts/${web}?tab=relations`);
  await page.getByRole('combobox', { name: 'Other host' }).fill(node);
  await page.getByRole('button', { name: 'Add relation' }).click();
  const graph = page.getByRole('group', { name: `Hosts around ${web}` });
  await expect(graph.getByRole('button', { name: `${node}, one step away` })).toBeVisible();
  await graph.getByRole('button', { name: `${web}, in the middle` }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: `Hosts around ${node}` })).toBeVisible();
  await expect(page.getByRole('button', { name: `${node}, in the middle` })).toBeFocused();
});

test('a host of many relations opens in the middle of its graph, which is zoomed by keys and buttons', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const hub = name('-hub');
  await api.save(hub, 'api', {});
  const leaves = Array.from({ length: 60 }, (_, n) => name(`-leaf${n}`));
  for (const leaf of leaves) await api.save(leaf, 'api', {});
  const page = await open(`/hosts/${hub}?tab=relations`);
  for (const target of leaves) {
    await operate(page, 'relations/add-relation', { hostname: hub, type: 'connects_to', target });
  }
  await page.reload();
  const graph = page.getByRole('group', { name: `Hosts around ${hub}` });
  const middle = graph.getByRole('button', { name: `${hub}, in the middle` });
  await expect(middle).toBeInViewport();
  const width = async () => (await middle.boundingBox())?.width ?? 0;
  const before = await width();
  await middle.focus();
  await page.keyboard.press('-');
  await expect.poll(width).toBeLessThan(before);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBeCloseTo(before, 0);
  await graph.getByRole('button', { name: 'Show more of 50 more hosts' }).click();
  await expect(graph.getByRole('button', { name: 'Show more of 30 more hosts' })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Relations from this host' }).getByRole('row');
  await expect(rows).toHaveCount(26);
  await page.getByRole('searchbox', { name: 'Find relations from this host' }).fill('leaf59');
  await expect(rows).toHaveCount(2);
});

test('a label of several hosts is changed after a look at it, and put back', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const [one, other] = [name('-one'), name('-other')];
  await api.save(one, 'api', { site: 'x' });
  await api.save(other, 'api', {});
  const page = await open(`/hosts?where=${name()}`);
  await page.getByRole('button', { name: 'Select this page' }).click();
  await page.getByRole('button', { name: 'Change a label' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Label' }).fill('site');
  await dialog.getByRole('combobox', { name: 'Value' }).fill('paris');
  await dialog.getByRole('button', { name: 'Show what would change' }).click();
  await expect(dialog.getByText('2 hosts would change')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change 2 hosts' }).click();
  const rows = page.getByRole('table', { name: 'Hosts' });
  await expect(rows.getByText('site: paris')).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows.getByText('site: paris')).toHaveCount(0);
});

test('people who may only read, or only some accounts, see no more than they may', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const host = name('&<b>#?%41 x');
  await api.save(host, 'api', { text: '<img src=x onerror=alert(1)>' });
  const reader = await open(`/hosts?search=${name()}`, 'reader');
  await reader.getByRole('link', { name: host }).click();
  await expect(reader.getByRole('heading', { level: 1, name: host })).toBeVisible();
  await expect(reader.getByRole('cell', { name: '<img src=x onerror=alert(1)>', exact: true })).toBeVisible();
  await expect(reader.getByRole('button', { name: /Archive|Edit|Write|New/ })).toHaveCount(0);
  await reader.goto('/admin/hosts/new');
  await expect(reader.getByText('You may only read')).toBeVisible();

  const scoped = await open('/hosts', 'scoped');
  await expect(tableOfHosts(scoped).getByRole('cell', { name: 'wikimedia' })).toHaveCount(0);
  await scoped.goto('/admin/hosts/aux-k8s-ctrl1002.eqiad.wmnet');
  await expect(scoped.getByRole('alert')).toContainText('there is no host aux-k8s-ctrl1002.eqiad.wmnet');

  const outsider = await open('/hosts', 'syncer');
  await expect(outsider.getByText('users with the role objects')).toBeVisible();
});

test('the page of a host says of each value where it is from, what it stands in place of, and since when', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'esams', ip: '10.1.2.3', tier: 'mine' });
  await api.save(host, 'api', { site: 'codfw', ip: '10.1.2.3', tier: 'mine' });
  const page = await open(`/hosts/${host}`);
  const values = page.getByRole('table', { name: 'Values of this host' });
  await expect(values.getByRole('row', { name: /^site/ })).toContainText('label from account api');
  await expect(values.getByRole('row', { name: /^site/ })).toContainText(/ago|now/);
  const tier = values.getByRole('row', { name: /^tier/ });
  await expect(tier.getByRole('link', { name: 'Core data centres' })).toBeVisible();
  await tier.getByRole('button', { name: 'instead of another value' }).click();
  await expect(tier).toContainText('mine, label from account api');
  await page.getByLabel('Find in values').fill('core data');
  await expect(values.getByRole('row', { name: /^site/ })).toHaveCount(0);
  await page.getByLabel('Find in values').fill('');
  await page.getByRole('switch', { name: /hidden value/ }).check();
  await expect(values.getByRole('link', { name: '10.1.2.3' })).toHaveAttribute('href', /where=10\.1\.2\.3/);
  await expect(page.getByRole('region', { name: 'Last changes' }).getByRole('listitem').first()).toContainText(
    'labels',
  );
});

test('the page of a host says which rules fail on it', { tag: '@thorough' }, async ({ open, api, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'esams' });
  const page = await open(`/hosts/${host}`);
  // Other rules fail too, where labels of theirs are missing.
  const faults = page.getByRole('note', { name: /fails? on this host/ }).filter({ hasText: name('-rule') });
  await expect(page.getByRole('table', { name: 'Values of this host' })).toBeVisible();
  await expect(faults).toHaveCount(0);
  const conditions = [{ match_type: 'host', hostname: host, hostname_match: 'equal', hostname_match_negate: false }];
  const outcomes = [{ attribute_name: 'units', attribute_value: '{{ site + 1 }}' }];
  const rules = [{ name: name('-rule'), enabled: true, condition_typ: 'all', conditions, outcomes }];
  await operate(page, 'rules/import-rules', { rule_type: 'custom_attributes', text: JSON.stringify(rules) });
  await page.reload();
  await expect(faults).toBeVisible();
  await faults.getByRole('link', { name: 'All that rules did with it' }).click();
  await expect(page.getByRole('listitem', { name: `${name('-rule')}: hit` })).toContainText('error:');
});

test('changes are searched by host and by field, and the address keeps both', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const [a, b] = [name('-a'), name('-b')];
  await api.save(a, 'api', { kept: 'x' });
  await api.save(b, 'api', { kept: 'x' });
  await api.save(a, 'api', { kept: 'y', other: '1' });
  await api.save(b, 'api', { kept: 'x', other: '1' });
  const page = await open('/changes');
  await page.getByRole('searchbox', { name: 'Hosts' }).fill(name('-'));
  await expect(page.getByRole('status')).toHaveText('2 changes');
  await page.getByRole('combobox', { name: 'Field' }).fill('kept');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('1 change');
  await expect(page.getByRole('rowgroup', { name: `${a}: Labels` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`where=${name('-')}`));
  await expect(page).toHaveURL(/field=kept/);
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('1 change');
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await page.getByLabel('Until').fill(yesterday);
  await expect(page.getByRole('status')).toHaveText('No change matches.');
  await expect(page).toHaveURL(new RegExp(`to=${yesterday}`));
  await page.getByLabel('Until').fill(new Date().toISOString().slice(0, 10));
  await expect(page.getByRole('status')).toHaveText('1 change');
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await expect(page.getByRole('status')).toHaveText('No change matches.');
  await expect(page).toHaveURL(new RegExp(`from=${yesterday}.*to=${yesterday}|to=${yesterday}.*from=${yesterday}`));
  await page.getByRole('button', { name: 'Today' }).click();
  await expect(page.getByRole('status')).toHaveText('1 change');
  await page.getByRole('button', { name: 'Today', pressed: true }).click();
  await expect(page.getByLabel('Since')).toHaveValue('');
  await page.getByRole('searchbox', { name: 'Hosts' }).fill(`${b} kept:*`);
  await expect(page.getByRole('status')).toHaveText('No change matches.');
});

test('a saved search keeps provider, state and account', { tag: '@thorough' }, async ({ open, name }) => {
  const page = await open('/hosts?where=web&provider=databases&state=any&account=api');
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByLabel('Save this search as').fill(name());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.getByRole('dialog').getByRole('listitem').filter({ hasText: name() });
  await expect(saved).toContainText('web · active and archived · account api · groups of databases');
  await page.goto('/admin/hosts');
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: name() }).click();
  await expect(page).toHaveURL(/provider=databases/);
  await expect(page).toHaveURL(/state=any/);
  await expect(page).toHaveURL(/account=api/);
});

test('the sheet of a host says since when a rule sets a value, and which version of it', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/hosts/mw1349.eqiad.wmnet');
  const row = page.getByRole('table', { name: 'Values of this host' }).getByRole('row', { name: /^short_name/ });
  await expect(row.getByRole('cell').last()).toContainText(/ago.*rule version 1$/);
});

test('a host that is not there is told so, and leads to those that are', async ({ open }) => {
  const page = await open('/hosts/no.such.host');
  await expect(page.getByRole('alert', { name: 'Not found' })).toContainText('no.such.host');
  await page.getByRole('link', { name: 'All hosts' }).click();
  await expect(tableOfHosts(page)).toBeVisible();
});

test('other things that are not there lead to the lists of those that are', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/accounts/nobody');
  const missing = page.getByRole('alert', { name: 'Not found' });
  for (const [path, words, list] of [
    ['/accounts/nobody', 'there is no account nobody', 'All accounts'],
    ['/users/nobody', 'there is no user nobody', 'All users'],
    ['/cron/nobody', 'there is no cron group nobody', 'All cron groups'],
    ['/runs/nobody', 'there is no run at nobody', 'All runs'],
  ] as const) {
    await page.goto(`/admin${path}`);
    await expect(missing).toContainText(words);
    await expect(missing.getByRole('link', { name: list })).toBeVisible();
  }
});

test('on a phone the values of a host are read without moving anything sideways', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'berlin', description: 'a long text without any end '.repeat(8), os: 'debian' });
  const page = await open(`/hosts/${host}`);
  await page.setViewportSize({ width: 390, height: 844 });
  const values = page.getByRole('table', { name: 'Values of this host' });
  const row = values.getByRole('row', { name: /^site/ });
  await row.getByRole('cell').nth(3).scrollIntoViewIfNeeded();
  await expect(row.getByRole('cell').nth(3)).toBeInViewport({ ratio: 1 });
  for (const cell of await row.getByRole('cell').all()) {
    const box = await cell.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 391)).toBeLessThanOrEqual(390);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('two hosts are compared by what rules make of them, and one by what it was', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const page = await open('/hosts/mw1350.eqiad.wmnet');
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'Compared with' }).fill('cp3066.esams.wmnet');
  await page.keyboard.press('Enter');
  const byRules = page.getByRole('region', { name: 'Results of the rules' });
  const tier = byRules.getByRole('row', { name: /^tier/ });
  await expect(tier).toContainText('core');
  await expect(tier.getByRole('link').first()).toHaveText(/^rule “/);
  await expect(byRules.getByRole('row', { name: /^groups/ })).toBeVisible();
  // What is counted are the lines of both tables.
  const lines = page.getByRole('main').locator('tbody tr');
  await expect(page.getByText(`${await lines.count()} differences between`)).toBeVisible();
  const host = name('-times.example.org');
  await api.save(host, 'api', { stage: 'one' });
  await api.save(host, 'api', { stage: 'two' });
  await page.goto(`/admin/hosts/compare?left=${host}`);
  await page.getByText('The same host, another time').click();
  await expect(page).toHaveURL(/with=times/);
  // As all times are told, whatever the browser's language.
  await expect(page.getByLabel('As it was after')).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  await page.getByLabel('As it was after').selectOption({ label: 'all that came before these' });
  const row = page
    .getByRole('table', { name: 'Differences between the two times' })
    .getByRole('row', { name: /stage/ });
  await expect(row).toContainText('two');
});

test('a host that is made and archived is asked for as far as it is there', { tag: '@thorough' }, async ({
  open,
  name,
}) => {
  const host = name('-new.example.org');
  const page = await open('/hosts/new?account=api');
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) missing.push(`${response.status()} ${response.url()}`);
  });
  await page.getByLabel('Hostname').fill(host);
  await page.getByRole('button', { name: 'Create host' }).click();
  await expect(page.getByRole('heading', { level: 1, name: host })).toBeVisible();
  await expect(page.getByText('It has no labels.')).toBeVisible();
  await page.waitForTimeout(1000);
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'by user root' })).toBeVisible();
  await page.waitForTimeout(1000);
  expect(missing).toEqual([]);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
  await page.goto('/admin/hosts/new?account=api');
  await page.getByLabel('Hostname').fill(host);
  await page.getByRole('button', { name: 'Create host' }).click();
  await expect(page.getByRole('alert')).toContainText('This host already exists');
});

test('at 1440 pixels the list shows its last column whole, and how a search is written', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const page = await open('/hosts');
  const host = name('-kept.example.org');
  await api.save(host, 'api', { site: 'eqiad', cluster: 'kubernetes', role: 'worker' });
  await operate(page, 'hosts/archive-host', { hostname: host });
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const state of ['any', 'archived']) {
    await page.goto(`/admin/hosts?state=${state}&columns=account,seen,labels,changed`);
    const last = tableOfHosts(page).getByRole('columnheader').last();
    await expect(last).toBeInViewport({ ratio: 1 });
  }
  const isCut = await page.evaluate(`(() => {
    const field = document.querySelector('input[type=search]');
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const context = document.createElement('canvas').getContext('2d');
    context.font = font;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return field.placeholder === '' || context.measureText(field.placeholder).width > room;
  })()`);
  expect(isCut).toBe(false);
});

test('a host in the archive says who put it there', { tag: '@thorough' }, async ({ open, api, name }) => {
  const host = name('-away.example.org');
  await api.save(host, 'api', {});
  const page = await open(`/hosts/${host}`);
  await operate(page, 'hosts/archive-host', { hostname: host });
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'Archived' })).toContainText('by user root');
});

test('administrators are told what turns relations on', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/hosts');
  await page.route('**/admin/api/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), cmdb_mode: false } });
  });
  await page.goto('/admin/hosts/mw1350.eqiad.wmnet');
  await expect(page.getByText('The setting CMDB_MODE turns them on')).toBeVisible();
});

test('where the browser refuses to copy, the text is there to be copied by hand', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/hosts/mw1349.eqiad.wmnet');
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('denied')) } })`,
  );
  await page.getByRole('button', { name: 'Copy ansible_host' }).click();
  const text = page.getByRole('dialog', { name: 'Copy ansible_host' }).getByRole('textbox');
  await expect(text).toHaveValue('mw1349.eqiad.wmnet');
  await expect(text).toBeFocused();
  expect(await page.evaluate('getSelection()?.toString()')).toBe('mw1349.eqiad.wmnet');
});

test('hosts are counted by two fields, and each number leads to its hosts', async ({ open }) => {
  const page = await open('/hosts/report?rows=site&columns=cluster');
  const table = page.getByRole('table', { name: 'Hosts by site' });
  await expect(table.getByRole('row').nth(1)).toContainText('eqiad');
  await table.getByRole('link', { name: /^eqiad kubernetes \d+$/ }).click();
  await expect(page).toHaveURL(/where=site/);
  await expect(page.getByRole('row').filter({ hasText: '.eqiad.wmnet' }).first()).toBeVisible();
});
