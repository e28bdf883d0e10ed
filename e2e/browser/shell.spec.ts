import { expect, test } from '../support/admin.ts';

test('everything is found by Ctrl-K, and pages are reached by keys', async ({ open }) => {
  const page = await open('/logs');
  await page.keyboard.press('Control+k');
  // Without waiting for the field.
  await page.keyboard.type('restbase');
  const field = page.getByRole('combobox', { name: 'Go to or do' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('restbase');
  await field.fill('restbase1028');
  await expect(page.getByRole('option', { name: /^restbase1028\./ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('restbase1028');

  // What was typed is a text, whatever it would mean in a query; rules are found by what they hold, and actions by their name.
  await page.keyboard.press('Control+k');
  await field.fill('site:(');
  const found = page.getByRole('listbox', { name: 'Search results' }).getByRole('option');
  await expect(found).toHaveText(['Search all hosts for site:(']);
  await field.fill('kubernetes');
  await expect(page.getByRole('option', { name: 'cluster_kubernetes 469' })).toBeVisible();
  await expect(page.getByRole('option', { name: /^Kubernetes workers/ })).toBeVisible();
  await field.fill('add account');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New account' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  // In a field, keys are letters.
  await page.keyboard.type('g?');
  await expect(page.getByRole('searchbox')).toHaveValue('g?');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to Hosts');
});

test('a reader is offered nothing that would be refused', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/', 'reader');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Go to or do' });
  await field.fill('new');
  await expect(page.getByRole('option', { name: 'Logs' })).toHaveCount(0);
  await expect(page.getByRole('option', { name: /^New/ })).toHaveCount(0);
  await field.fill('import wikimedia');
  await expect(page.getByRole('option', { name: 'Import wikimedia' })).toHaveCount(0);
});

test('times, rows and keys are as somebody wants them in this browser', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/profile', 'objects');
  const choose = async (field: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const sessions = page.getByRole('table', { name: 'Sessions' });
  await expect(sessions.locator('time').first()).toHaveText(/ago|now/);
  await choose('Times', 'Exact');
  await choose('Time zone', 'UTC');
  await choose('Rows', 'Comfortable');
  // Somebody who looks after another office; Phoenix has no summer time.
  await page.getByRole('combobox', { name: 'Time zone' }).fill('phoenix');
  await page.getByRole('option', { name: 'America/Phoenix' }).click();
  const there = await sessions.locator('time').first().getAttribute('datetime');
  const clock = new Date(Date.parse(there ?? '') - 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  await expect(sessions.locator('time').first()).toHaveText(clock);
  await page.reload();
  await expect(sessions.locator('time').first()).toHaveText(clock);
  await choose('Time zone', 'UTC');
  const begun = await sessions.locator('time').first().getAttribute('datetime');
  await expect(sessions.locator('time').first()).toHaveText((begun ?? '').slice(0, 19).replace('T', ' '));
  await sessions.locator('time').first().hover();
  await expect(page.getByRole('tooltip')).toHaveText(/ago|now/);
  await page.reload();
  await expect(sessions.locator('time').first()).toHaveText((begun ?? '').slice(0, 19).replace('T', ' '));
  await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable');
  await page.keyboard.press('t');
  await expect(sessions.locator('time').first()).toHaveText(/ago|now/);
  await choose('Single-key shortcuts', 'Off');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('t');
  await expect(sessions.locator('time').first()).toHaveText(/ago|now/);
});

test('a user makes and revokes a token of their own', { tag: '@thorough' }, async ({ open, service: { running } }) => {
  const page = await open('/profile', 'objects');
  const form = page.getByRole('form', { name: 'New token' });
  await form.getByRole('textbox', { name: 'Label' }).fill('my script');
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog');
  const token = await shown.locator('pre').first().innerText();
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  const read = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${running.url}/api/v1/objects/all?limit=1`, { headers })).status;
  };
  expect(await read()).toBe(200);
  await page.getByRole('button', { name: 'Revoke my script' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('You have no tokens.')).toBeVisible();
  expect(await read()).toBe(401);
});

test('on a phone, rows are cards that need no sideways moving', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/runs');
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of [
    '/runs',
    '/hosts',
    '/accounts',
    '/users',
    '/profile',
    '/logs/audit',
    '/rules/custom_attributes',
  ]) {
    await page.goto(`/admin${path}`);
    await expect(page.getByRole('table').first()).toBeVisible();
    const wide = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.cards')].filter((table) => table.querySelector('table').getBoundingClientRect().width > table.clientWidth + 1).map((table) => table.outerHTML.slice(0, 200))`,
    );
    expect(wide, path).toEqual([]);
  }
});

test('a page that cannot be loaded says so, and menu and header stay', { tag: '@thorough' }, async ({
  browser,
  open,
  service,
}) => {
  const first = await open('/hosts');
  // A page of its own: the browser complains about what it could not load, as it should.
  const storageState = await first.context().storageState();
  const page = await browser.newPage({ baseURL: service.running.url, locale: 'en-US', storageState });
  await page.goto('/admin/hosts');
  await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
  await page.route('**/*.js', (route) => route.abort());
  await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Hosts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible();
  await page.close();
});
