import { expect, test } from '../support/admin.ts';

test('somebody goes from a provider by group and name to the variables of a host', async ({ api, open, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'nowhere', evil: '{{ lookup("pipe", "id") }}' });
  const project = name();
  await api.post('/rules/automation_projects', { name: project, enabled: true, description: 'Only a test' });
  await api.post('/rules/automation_customvars', {
    name: name('groups'),
    enabled: true,
    project,
    condition_typ: 'all',
    conditions: [{ match_type: 'host', hostname: host, hostname_match: 'equal' }],
    outcomes: [{ attribute_name: 'ansible_groups', attribute_value: `${name('group')},tested` }],
  });
  await api.post('/rules/automation_groups', {
    name: name('tree'),
    enabled: true,
    project,
    outcomes: [{ group_name: name('group'), parent_groups: name('above') }, { group_name: name('spare') }],
  });
  const page = await open('/inventory');
  await expect(page.getByRole('row', { name: project })).toContainText('Only a test');
  await page.getByRole('link', { name: project, exact: true }).click();
  const address = `${new URL(page.url()).origin}/api/v1/inventory/automation/${project}`;
  await expect(page.getByText(`curl -H "Authorization: Bearer $TOKEN" "${address}"`)).toBeVisible();
  await expect(page.getByText(`Over HTTP: ${address}`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'your profile' })).toHaveAttribute('href', '/admin/profile');
  const groups = page.getByRole('table', { name: 'Groups' });
  await expect(groups.getByRole('row', { name: name('spare') })).toContainText('0');
  await expect(groups.getByRole('row', { name: `in ${name('above')}` })).toContainText(name('group'));
  await groups.getByRole('link', { name: name('above') }).click();
  await expect(page.getByRole('table', { name: 'Hosts' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Show hosts of all groups' }).click();
  await page.getByRole('searchbox', { name: 'Find hosts' }).fill(name());
  await expect(page.getByText(/^1 host found among/)).toBeVisible();
  await page.getByRole('table', { name: 'Hosts' }).getByRole('link', { name: host }).click();
  await page.getByRole('searchbox', { name: 'Find variables' }).fill('evil');
  await expect(page.getByRole('row', { name: 'evil' })).toContainText('{ { lookup');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  expect((await download).suggestedFilename()).toBe(`${host}.json`);
});

test('an inventory is compared with that of an earlier time, by keyboard', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  await api.save(name('.example.org'), 'api', { site: 'nowhere' });
  const page = await open(`/inventory/automation?search=${name()}`);
  await page.getByRole('tab', { name: 'Hosts' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/since=yesterday/);
  await expect(page.getByText(/automation\/changes\?since=yesterday"$/)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find hosts' }).fill(name());
  await expect(page.getByText('1 host added, 0 removed, 0 changed.')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('article', { name: `${name('.example.org')}: added` })).toContainText('by its data');
  await page.getByRole('combobox', { name: 'Compared with' }).selectOption('another time…');
  await page.getByRole('textbox', { name: /^Time, or/ }).fill('tomorrow');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('write today, yesterday, an age such as 24h or 7d');
});

test('an explanation says who put a host into its groups, and what stands above them', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', {});
  const project = name();
  await api.post('/rules/automation_projects', { name: project, enabled: true, description: 'Only a test' });
  await api.post('/rules/automation_customvars', {
    name: name('groups'),
    enabled: true,
    project,
    condition_typ: 'anyway',
    outcomes: [{ attribute_name: 'ansible_groups', attribute_value: 'web' }],
  });
  const outcomes = [{ group_name: 'web', parent_groups: 'production' }];
  await api.post('/rules/automation_groups', { name: name('tree'), enabled: true, project, outcomes });
  const page = await open(`/hosts/${host}?tab=explain&project=${project}`);
  const groups = page.getByRole('region', { name: 'Groups' });
  await expect(groups).toContainText(`production above web by rule “${name('tree')}”`);
  await groups.getByRole('button', { name: name('groups') }).press('Enter');
  await expect(page.locator(':focus')).toContainText(name('groups'));
  await groups.getByRole('link', { name: name('tree') }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name('tree'));
});

test('people see the hosts of their accounts only, and without the role why not', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  await api.save(name('.example.org'), 'api', {});
  const page = await open('/inventory/automation', 'scoped');
  await expect(page.getByRole('table', { name: 'Hosts' })).toContainText('example.org');
  await expect(page.getByRole('table', { name: 'Hosts' })).not.toContainText('wmnet');
  const other = await open('/inventory', 'objects');
  await expect(other.getByText('This is for users with the role automation')).toBeVisible();
});
