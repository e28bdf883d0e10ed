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
  const page = await open('/inventory');
  await expect(page.getByRole('row', { name: project })).toContainText('Only a test');
  await page.getByRole('link', { name: project, exact: true }).click();
  const groups = page.getByRole('table', { name: 'Groups' });
  await groups.getByRole('link', { name: name('group') }).click();
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
