import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expect, PASSWORD, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';

function codeOf(secret: string, after = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + after * 30_000 });
}

async function logIn(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(name);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function logOut(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `User ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

test('somebody sets up an authenticator app, logs in with its code, and by a recovery code when it is lost', {
  tag: '@thorough',
}, async ({ open, service: { place } }) => {
  await place.done(['user', 'add', 'petra', '--password-stdin', '--role', 'objects'], { input: PASSWORD });
  const page = await open('/profile', 'petra');
  const section = page.getByRole('region', { name: 'Second factor' });
  await expect(section).toContainText('None yet');
  await section.getByLabel('Current password').fill('wrong');
  await section.getByRole('button', { name: 'Set up authenticator app' }).click();
  await expect(section.getByText('is not your current password')).toBeVisible();
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Set up authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  const secret = (await dialog.locator('.copied-text').innerText()).replaceAll(' ', '');
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('the code is wrong')).toBeVisible();
  const confirmed = codeOf(secret);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(confirmed);
  await page.keyboard.press('Enter');
  const codes = (
    await page.getByRole('dialog', { name: 'Your recovery codes' }).locator('.copied-text').innerText()
  ).split('\n');
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section).toContainText('You log in with: authenticator app; 10 recovery codes left.');

  await logOut(page, 'petra');
  await logIn(page, 'petra');
  await expect(page.getByRole('textbox', { name: 'Code of your authenticator app' })).toBeFocused();
  await page.keyboard.type(confirmed);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This code was used already');
  await page.getByRole('textbox', { name: 'Code of your authenticator app' }).fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  await logOut(page, 'petra');
  await logIn(page, 'petra');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[3] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  const admin = await open('/users/petra');
  await expect(admin.getByRole('region', { name: 'Second factor' })).toContainText('9 recovery codes left');
  await admin.getByRole('button', { name: 'Reset second factor' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expect(admin.getByRole('region', { name: 'Second factor' })).toContainText('None');
  await page.goto('/admin');
  await logIn(page, 'petra');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
});

test('a passkey logs in without name and password', { tag: '@thorough' }, async ({
  browser,
  service: { place, running },
}) => {
  await place.done(['user', 'add', 'quentin', '--password-stdin', '--role', 'objects'], { input: PASSWORD });
  // Browsers keep passkeys for names only.
  const baseURL = running.url.replace('127.0.0.1', 'localhost');
  const page = await browser.newPage({ baseURL, reducedMotion: 'reduce' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/admin/profile');
  await logIn(page, 'quentin');
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section.getByRole('table', { name: 'Passkeys' }).getByRole('row')).toHaveCount(2);

  await logOut(page, 'quentin');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByRole('button', { name: 'User quentin' })).toBeVisible();

  await page.goto('/admin/profile');
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: /^Remove passkey/ }).click();
  await expect(section).toContainText('None yet');
  await page.close();
});

test('the operator lets somebody in by a link, once', { tag: '@thorough' }, async ({
  browser,
  service: { place, running },
}) => {
  await place.done(['user', 'add', 'rescue', '--password-stdin', '--role', 'all'], { input: PASSWORD });
  const stdout = await place.done(['user', 'break-glass', 'rescue', '--reason', 'the provider is down']);
  const link = running.url + stdout.slice(stdout.indexOf('/admin')).trim();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.goto(link);
  await page.getByRole('button', { name: 'Log in by this link' }).click();
  await expect(page.getByRole('button', { name: 'User rescue' })).toBeVisible();
  const other = await browser.newPage({ reducedMotion: 'reduce' });
  await other.goto(link);
  await other.getByRole('button', { name: 'Log in by this link' }).click();
  await expect(other.getByText('this break-glass link has ended')).toBeVisible();
  await Promise.all([page.close(), other.close()]);
});
