import { Api } from '../support/api.ts';
import { expect, pictures, test } from './pictures.ts';

test('a colleague gets a limited view, and sees no more than that', { tag: '@thorough' }, async ({
  open,
  api,
  browser,
  name,
  service: { running },
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'codfw' });
  const page = await open('/users');
  await page.getByRole('link', { name: 'New user' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name());
  await page.getByRole('button', { name: 'Generate one' }).click();
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue();
  await page.getByRole('checkbox', { name: /^objects/ }).check();
  await page.getByRole('radio', { name: 'Only these' }).check();
  await page.getByRole('combobox', { name: 'Reachable accounts' }).click();
  await page.getByRole('option', { name: 'api', exact: true }).click();
  await page.keyboard.press('Escape');
  await pictures(page, 'a-limited-view');
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByRole('heading', { level: 1, name: name() })).toBeVisible();

  const theirs = await browser.newPage({ baseURL: running.url });
  await theirs.goto('/admin');
  await theirs.getByRole('textbox', { name: 'User' }).fill(name());
  await theirs.locator('input[type=password]').fill(password);
  await theirs.getByRole('button', { name: 'Log in' }).click();
  await theirs.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await theirs.getByLabel('Search', { exact: true }).fill('eqiad');
  await expect(theirs.getByText('No active host matches')).toBeVisible();
  await theirs.getByLabel('Search', { exact: true }).fill(host);
  await expect(theirs.getByRole('table', { name: 'Hosts' }).getByRole('link', { name: host })).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await pictures(theirs, 'what-the-colleague-sees');
  await theirs.close();
});

test('a script gets a token of its own, which only reads inventories', { tag: '@thorough' }, async ({
  open,
  name,
  service: { running },
}) => {
  const page = await open('/profile');
  const form = page.getByRole('form', { name: 'New token' });
  await form.getByRole('textbox', { name: 'Label' }).fill(name());
  await form.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByRole('dialog').locator('pre').first().innerText();
  await pictures(page, 'token-for-a-script');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const script = await Api.open(running.url, { authorization: `Bearer ${token}` });
  const inventory = await script.get('/inventory/automation/automation');
  expect(inventory.status).toBe(200);
  expect(Object.keys(inventory.body._meta.hostvars).length).toBeGreaterThan(900);
  await script.close();
});
