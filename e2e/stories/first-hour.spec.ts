import { PASSWORD } from '../support/admin.ts';
import { basic } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { expect, pictures, test } from './pictures.ts';

test('from an empty installation to a served inventory', { tag: '@thorough' }, async ({ browser, freshPlace }) => {
  const place = await freshPlace();
  const running = await RunningService.start(place);
  const page = await browser.newPage({ baseURL: running.url, reducedMotion: 'reduce' });
  await page.goto('/admin');
  await page.getByRole('textbox', { name: 'User' }).fill('root');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps).toBeVisible();
  await pictures(page, 'empty-installation');
  await steps.getByRole('button', { name: /sample/i }).click();
  await expect(steps.getByRole('link', { name: /hosts?$/ })).toBeVisible({ timeout: 60_000 });
  const rule = steps.getByRole('listitem').filter({ hasText: 'Add what your tools need to know' });
  const fields = rule.getByRole('textbox');
  for (const [index, text] of ['purpose', 'web'].entries()) {
    const field = fields.nth(index);
    if ((await field.count()) > 0 && (await field.inputValue()) === '') await field.fill(text);
  }
  await rule.getByRole('button').last().click();
  await expect(steps.getByRole('link', { name: 'See the inventory' })).toBeVisible();
  await page.reload();
  await steps.getByRole('link', { name: 'See the inventory' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('automation');
  await pictures(page, 'first-inventory');
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(steps).toHaveCount(0);
  const headers = basic('root', PASSWORD);
  const inventory = await fetch(`${running.url}/api/v1/inventory/automation/automation`, { headers });
  const { _meta } = (await inventory.json()) as { _meta: { hostvars: object } };
  expect(Object.keys(_meta.hostvars).length).toBeGreaterThan(5);
  await page.close();
  await running.stop();
});

test('an import of an installation without rules leads to the first one', { tag: '@thorough' }, async ({
  browser,
  freshPlace,
}) => {
  const place = await freshPlace();
  const running = await RunningService.start(place);
  const page = await browser.newPage({ baseURL: running.url, reducedMotion: 'reduce' });
  await page.goto('/admin/accounts/new?type=csv');
  await page.getByRole('textbox', { name: 'User' }).fill('root');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('textbox', { name: 'Name of the account' }).fill('first');
  await page.getByRole('button', { name: 'Paste' }).click();
  await page.getByRole('textbox', { name: 'Content' }).fill('host,site\nfirst-1,berlin\n');
  await page.getByRole('button', { name: 'Use this' }).click();
  await expect(page.getByRole('textbox', { name: 'path' })).not.toHaveValue('');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByRole('button', { name: 'Save and import' }).click({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Next: make a rule' }).click();
  await expect(page).toHaveURL(/\/rules\/custom_attributes\/new/);
  await page.close();
  await running.stop();
});

test('a first host by hand: its account is made on the way, and it goes on where it was', { tag: '@thorough' }, async ({
  browser,
  freshPlace,
}) => {
  const place = await freshPlace();
  // The one that comes with the place takes hosts too.
  await place.done(['account', 'disable', 'crm']);
  const running = await RunningService.start(place);
  const page = await browser.newPage({ baseURL: running.url, reducedMotion: 'reduce' });
  await page.goto('/admin/hosts/new');
  await page.getByRole('textbox', { name: 'User' }).fill('root');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'New account' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('by-hand');
  await page.getByRole('button', { name: 'Add account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New host' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Account' })).toHaveValue('by-hand');
  await page.getByRole('textbox', { name: 'Hostname' }).fill('web-1');
  await page.getByRole('button', { name: 'Create host' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible();
  await page.close();
  await running.stop();
});
