import { expect, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';

test('a person puts searches and a report on a dashboard, and starts with it', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/dashboards');
  await page.getByRole('link', { name: 'Search hosts' }).press('Enter');

  const save = async (name: string, show?: 'Number of hosts') => {
    await page.getByRole('button', { name: 'Saved' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Saved searches' });
    await dialog.getByLabel('Save this search as').fill(name);
    await dialog.getByLabel('Show it on a dashboard').fill('Night shift');
    if (show !== undefined) await dialog.getByLabel('As', { exact: true }).selectOption(show);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(dialog.getByRole('link', { name, exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  };
  await page.goto('/admin/hosts?where=site%3Aeqiad&columns=site,cluster');
  await save('2 in eqiad');
  await save('1 how many in eqiad', 'Number of hosts');
  await page.goto('/admin/hosts/report?rows=site&columns=cluster');
  await save('3 by site');

  await page.getByRole('link', { name: 'Dashboards' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Night shift' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['1 how many in eqiad', '2 in eqiad', '3 by site']);
  const number = page.getByRole('link', { name: /^1 how many in eqiad: \d+ hosts$/ });
  await expect(number).toHaveText(/^[1-9]\d*$/);
  await expect(page.getByRole('table', { name: '2 in eqiad' }).getByRole('row')).toHaveCount(11);
  await expect(
    page.getByRole('table', { name: 'Hosts by site' }).getByRole('link', { name: /^eqiad \d+$/ }),
  ).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await page.getByRole('button', { name: 'Use as start page' }).press('Enter');
  await page.goto('/admin/');
  await expect(page.getByRole('heading', { level: 1, name: 'Night shift' })).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.getByRole('link', { name: 'Dashboards' }).press('Enter');
  await page.getByRole('button', { name: 'Start with the overview again' }).press('Enter');
  await page.goto('/admin/');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
});
