import { expect, operate, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';

test('somebody corrects a value of an imported host, and takes that back once the source has it', async ({ open }) => {
  const page = await open('/hosts?account=wikimedia');
  const link = page.getByRole('table', { name: 'Hosts' }).getByRole('link').first();
  const hostname = await link.innerText();
  await link.press('Enter');
  const labels = page.getByRole('table', { name: 'Labels of this host' });
  const site = labels.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'site', exact: true }) });
  await expect(page.getByText('Labels come from account wikimedia')).toBeVisible();
  const before = (await site.getByRole('cell').first().innerText()).trim();

  await site.getByRole('button', { name: 'Correct site…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Correct site of ${hostname}` });
  await dialog.getByLabel('Value', { exact: true }).fill('basement');
  expect(await findings(page, dialog)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(site).toContainText('basement');
  await expect(site).toContainText(`Source: ${before}`);
  await expect(page.getByRole('table', { name: 'Values of this host' })).toContainText('basement');

  await operate(page, 'hosts/correct-host', { hostname, attribute: 'site', value: before });
  await page.reload();
  await expect(site).toContainText('The source has this value now.');
  await site.getByRole('button', { name: 'Remove correction' }).press('Enter');
  await expect(site).not.toContainText('corrected');

  await operate(page, 'hosts/correct-host', { hostname, attribute: 'shelf', value: 3 });
  await page.reload();
  await expect(labels.getByRole('row').filter({ hasText: 'shelf' })).toContainText('The source has no value.');
  await labels.getByRole('link', { name: 'Rule Corrections' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Corrections' })).toBeVisible();
  await expect(page.getByLabel('The rule looks at')).toHaveValue('list');
  await expect(page.getByRole('group', { name: 'outcome 1', exact: true }).getByLabel('Host')).toHaveValue(hostname);
});

test('a person without the role of rules, and the owner of the labels, are offered no correction', {
  tag: '@thorough',
}, async ({ open, api, name }) => {
  await api.save(name('-own'), 'api', { site: 'fra' });
  const page = await open(`/hosts/${name('-own')}`);
  await expect(page.getByRole('button', { name: 'Edit labels' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Correct site…' })).toHaveCount(0);
  const other = await open('/hosts?account=wikimedia', 'objects');
  await other.getByRole('table', { name: 'Hosts' }).getByRole('link').first().press('Enter');
  await expect(other.getByRole('link', { name: /^Find hosts with site=/ })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Correct site…' })).toHaveCount(0);
});
