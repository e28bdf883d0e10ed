import type { Page } from '@playwright/test';
import { expect, PASSWORD, test } from '../support/admin.ts';
import { Api } from '../support/api.ts';
import type { Workplace } from '../support/workplace.ts';

const NEW_PASSWORD = 'a better horse battery';

async function addUser(place: Workplace, name: string, ...options: readonly string[]): Promise<void> {
  await place.done(['user', 'add', name, '--password-stdin', ...options], { input: PASSWORD });
}

function logIn(page: Page, name: string, password: string) {
  return page.request.post('/admin/api/session', { data: { name, password } });
}

test('a user is made with a password that is made up, roles and accounts', async ({ open, browser, service }) => {
  const page = await open('/users');
  await page.getByRole('link', { name: 'New user' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('nina');
  await page.getByRole('button', { name: 'Generate one' }).click();
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue();
  expect(password).toMatch(/^\w{20}$/);
  await page.getByRole('checkbox', { name: /^objects/ }).check();
  await page.getByRole('radio', { name: 'Only these' }).check();
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByText('choose at least one account')).toBeVisible();
  await page.getByRole('combobox', { name: 'Reachable accounts' }).click();
  await page.getByRole('option', { name: 'api', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'nina' })).toBeVisible();
  const other = await browser.newPage({ baseURL: service.running.url });
  const session = await logIn(other, 'nina', password);
  expect(await session.json()).toMatchObject({ roles: ['objects'], accounts: ['api'], admin: false });
  await other.close();
});

test('a token is shown once, works, and is refused when it is revoked', async ({ open, service }) => {
  await addUser(service.place, 'tom', '--role', 'syncer');
  const page = await open('/users/tom');
  await page.getByRole('textbox', { name: 'Label' }).fill('night job');
  // A worn mouse clicks twice before the button can be drawn as busy: a second token would never be shown.
  await page.getByRole('button', { name: 'Create token' }).evaluate((button: { click(): void }) => {
    button.click();
    button.click();
  });
  const token = await page
    .getByRole('dialog')
    .getByText(/^muster_/)
    .innerText();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const tom = await Api.open(service.running.url, { Authorization: `Bearer ${token}` });
  expect((await tom.get('/syncer/logs')).status).toBe(200);
  await page.reload();
  await expect(page.getByRole('row', { name: /night job/ })).toHaveCount(1);
  await expect(page.getByRole('row', { name: /night job/ })).not.toContainText('never');
  expect(await page.content()).not.toContain(token);
  await page.getByRole('button', { name: 'Revoke night job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No tokens')).toBeVisible();
  expect((await tom.get('/syncer/logs')).status).toBe(401);
  await tom.close();
});

test('a token that only reads, with one role and one account, carries no more than that @thorough', async ({
  open,
  service,
}) => {
  await addUser(service.place, 'rita', '--role', 'objects', '--role', 'syncer');
  const page = await open('/users/rita');
  const form = page.getByRole('form', { name: 'New token' });
  await expect(form.getByRole('checkbox', { name: /^(all|rules|automation|mcp|metrics)$/ })).toHaveCount(0);
  await form.getByRole('textbox', { name: 'Label' }).fill('board');
  await form.getByRole('textbox', { name: 'Days' }).fill('30');
  await form.getByRole('checkbox', { name: 'objects' }).press('Space');
  await form.getByRole('combobox', { name: 'Accounts of the token' }).click();
  await page.getByRole('option', { name: 'wikimedia', exact: true }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('checkbox', { name: 'Read-only token' }).press('Space');
  await form.getByRole('button', { name: 'Create token' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const token = await dialog.getByText(/^muster_/).innerText();
  const example = await dialog.getByText(/^curl/).innerText();
  expect(example).toContain('curl -H "Authorization: Bearer $TOKEN"');
  const [address] = /http[^"]*/.exec(example) ?? [''];
  expect((await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  await dialog.getByRole('button', { name: 'I have saved it' }).press('Enter');
  const row = page.getByRole('row', { name: /board/ });
  await expect(row).toContainText('objects, read-only, accounts wikimedia');
  await expect(row).toContainText(new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 7));
  // What was chosen for one token is not chosen for the next.
  await expect(form.getByRole('checkbox', { name: 'Read-only token' })).not.toBeChecked();

  const board = await Api.open(service.running.url, { Authorization: `Bearer ${token}` });
  const listed = await board.get('/objects/all?start=0&limit=1');
  expect(listed.status).toBe(200);
  const [{ hostname }] = listed.body.results;
  const labels = { account: 'wikimedia', labels: { written: 'by a token' } };
  expect((await board.post(`/objects/${hostname}`, labels)).status).toBe(403);
  expect((await board.get('/syncer/logs')).status).toBe(401);
  await board.close();
});

test('a user ends another session of his own, and stays in this one @thorough', async ({ open, service }) => {
  await addUser(service.place, 'paul', '--role', 'syncer');
  const elsewhere = await open('/', 'paul');
  const page = await open('/profile', 'paul');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('row', { name: /this one/ })).toHaveCount(1);
  const end = sessions.getByRole('button', { name: /^End session of/ });
  await expect(end).toHaveCount(1);
  await end.press('Enter');
  await expect(page.getByText('1 session ended.')).toBeVisible();
  await expect(end).toHaveCount(0);
  await elsewhere.getByRole('navigation').getByRole('link', { name: 'Logs' }).click();
  await expect(elsewhere.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible();
});

test("an administrator ends somebody's sessions, one and then all @thorough", async ({ open, service }) => {
  await addUser(service.place, 'sven', '--role', 'syncer');
  const theirs = [await open('/', 'sven'), await open('/', 'sven'), await open('/', 'sven')];
  const page = await open('/users/sven');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  const end = sessions.getByRole('button', { name: /^End session of/ });
  await expect(end).toHaveCount(3);
  await end.first().press('Enter');
  await expect(end).toHaveCount(2);
  await sessions.getByRole('button', { name: 'End all sessions' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('API tokens stay');
  await dialog.getByRole('button', { name: 'End all sessions' }).press('Enter');
  await expect(page.getByText('2 sessions ended.')).toBeVisible();
  await expect(sessions.getByText('This user has no open session')).toBeVisible();
  for (const other of theirs) {
    await other.getByRole('navigation').getByRole('link', { name: 'Logs' }).press('Enter');
    await expect(other.getByRole('button', { name: 'Log in' })).toBeVisible();
  }
});

test('somebody changes the own password by keyboard and stays logged in here only', { tag: '@thorough' }, async ({
  open,
  service,
}) => {
  await addUser(service.place, 'olga', '--role', 'syncer');
  const page = await open('/', 'olga');
  const elsewhere = await open('/', 'olga');
  await page.getByRole('button', { name: 'User olga' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Your profile' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Your profile' }).focus();
  await page.keyboard.press('Enter');
  // Changing the second factor asks for it too.
  const present = page.getByRole('region', { name: 'Password' }).getByLabel('Current password');
  const type = async (...texts: readonly string[]) => {
    for (const text of texts) {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
  };
  await present.focus();
  await type('not my password', NEW_PASSWORD, NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('is not your current password')).toBeVisible();
  await expect(present).toBeFocused();
  await type(PASSWORD);
  await present.press('Enter');
  await expect(page.getByText('You have a new password')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible();
  // A page that asks for something by itself may have met the end of its session before.
  await elsewhere.reload();
  await expect(elsewhere.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect((await logIn(elsewhere, 'olga', PASSWORD)).status()).toBe(401);
  expect((await logIn(elsewhere, 'olga', NEW_PASSWORD)).status()).toBe(200);
});

test('rights are changed and the user disabled, and a session ends with it', { tag: '@thorough' }, async ({
  open,
  service,
}) => {
  await addUser(service.place, 'ute', '--role', 'syncer');
  const page = await open('/users/ute');
  const theirs = await open('/', 'ute');
  await page.getByRole('checkbox', { name: /^objects/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('User ute is saved')).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByRole('navigation').getByRole('link', { name: 'Hosts' })).toBeVisible();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByRole('button', { name: 'Log in' })).toBeVisible();
});

test('who may only read changes no password, the own one neither', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/profile', 'reader');
  await expect(page.getByText('muster user passwd reader')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change password' })).toHaveCount(0);
  await page.goto('/admin/users/root');
  await expect(page.getByText('You may only read')).toBeVisible();
  await expect(page.getByRole('button', { name: /Save|Disable|Create token/ })).toHaveCount(0);
});

test('the words below a right tick it, and templates say where they are made', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/users/new');
  const box = page.getByRole('checkbox', { name: 'Read-only', exact: true });
  await page.getByText('Sees what the roles allow and cannot change anything, at any entrance').click();
  await expect(box).toBeChecked();
  await page.getByRole('radio', { name: 'Only hosts that name one of these templates' }).check();
  await expect(page.getByRole('link', { name: 'Rules, Host templates' })).toHaveAttribute(
    'href',
    '/admin/rules/cmdb_templates',
  );
});
