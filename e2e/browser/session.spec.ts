import { expect, PASSWORD, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';

test('somebody logs in by keyboard, finds the sections and logs out', async ({ browser, service }) => {
  const page = await browser.newPage({ baseURL: service.running.url });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Muster' })).toBeVisible();
  await page.keyboard.type('root');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The user name or password is wrong');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link')).toContainText(['Overview', 'Hosts', 'Accounts']);
  await page.getByRole('button', { name: 'User root' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.close();
});

test('people see the sections of their roles only', async ({ open }) => {
  const page = await open('/', 'objects');
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText([
    'Overview',
    'Dashboards',
    'Hosts',
    'Changes',
    // Of a plugin.
    'Sites',
  ]);
});

test('who is disabled meanwhile is sent to the login page @thorough', async ({ open, service }) => {
  const { place } = service;
  await place.done(['user', 'add', 'leaver', '--password-stdin', '--role', 'syncer'], { input: PASSWORD });
  const page = await open('/', 'leaver');
  await place.done(['user', 'disable', 'leaver']);
  await page.getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
});

test('a session that ends takes nothing of what was typed: one logs in over the page and saves', {
  tag: '@thorough',
}, async ({ open, name }) => {
  const page = await open('/cron/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name());
  await page.getByRole('combobox', { name: 'Job 1', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create group' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog.getByRole('textbox', { name: 'User' })).toHaveValue('root');
  await expect(dialog.locator('input[type=password]')).toBeFocused();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(name());

  await page.getByRole('link', { name: 'Hosts', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { level: 1, name: name() })).toBeVisible();
});

test('the first user is created by the link that a service without users logs', async ({ browser }) => {
  const place = await Workplace.create({ SERVICE_FIRST_USER_LINK: 'log' });
  const running = await RunningService.start(place);
  const link = () => /http\S+\/admin\/#first-user=[\w-]{43}/.exec(running.output)?.[0];
  await expect.poll(link).toBeDefined();
  const page = await browser.newPage();
  await page.goto(`${running.url}/admin`);
  await expect(page.getByText('There are no users yet')).toBeVisible();
  await page.goto('about:blank');
  await page.goto(link() ?? '');
  await page.getByRole('textbox', { name: 'User' }).fill('ada');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Password again' }).fill('another password');
  await expect(page.getByText('differs from the password above')).toBeVisible();
  await page.getByRole('textbox', { name: 'Password again' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create user and log in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect(page.url()).not.toContain('first-user');
  await page.close();
  const later = await RunningService.start(place);
  expect(later.output).not.toContain('first-user=');
  await later.stop();
  await running.stop();
  await place.close();
});
