import type { Page } from '@playwright/test';
import { expect, PASSWORD, test } from '../support/admin.ts';
import { PAGES } from './support/all-pages.ts';

/** What is called, and refused: the service says 401 or 403. */
function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (![401, 403].includes(response.status())) return;
    refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return refused;
}

/** Buttons that can be pressed, as they are called; those of a table once, for all of its rows. */
async function buttonsOf(page: Page): Promise<readonly string[]> {
  const buttons = await page.locator('main').getByRole('button', { disabled: false }).all();
  const names = await Promise.all(
    buttons.map(async (button) => (await button.getAttribute('aria-label')) ?? (await button.innerText()).trim()),
  );
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MOST_BUTTONS);
}

const MOST_BUTTONS = 15;

for (const user of ['reader', 'scoped']) {
  test(`nothing that ${user} is offered is refused`, { tag: '@thorough' }, async ({ open }) => {
    test.setTimeout(600_000);
    const page = await open('/logs', user);
    const refused = refusals(page);
    for (const [name, path] of Object.entries(PAGES)) {
      await visit(page, path);
      for (const button of await buttonsOf(page)) {
        // What is written is written by other tests; here it is what a page says of rights that is tried.
        if (user === 'scoped' && WRITES.test(button)) continue;
        const found = page.locator('main').getByRole('button', { name: button, exact: true, disabled: false }).first();
        if (!(await found.isVisible())) await visit(page, path);
        await found.click({ timeout: 2000 }).catch(() => undefined);
        await page.waitForTimeout(100);
        await page.keyboard.press('Escape');
        if (!page.url().endsWith(path)) await visit(page, path);
      }
      expect.soft(refused.splice(0), name).toEqual([]);
    }
  });
}

test('who is restricted to accounts of sources is offered no new host, and reads rules without a refusal', {
  tag: '@thorough',
}, async ({ open, service }) => {
  const user = ['user', 'add', 'wally', '--role', 'all', '--account', 'wikimedia', '--password-stdin'];
  await service.place.done(user, { input: PASSWORD });
  const page = await open('/hosts', 'wally');
  const refused = refusals(page);
  await expect(page.getByRole('link', { name: /wmnet$/ }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('link', { name: 'New host' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('New');
  await expect(page.getByRole('option', { name: /^New rule/ }).first()).toBeVisible();
  await expect(page.getByRole('option', { name: 'New host' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await visit(page, '/rules/custom_attributes');
  await page.getByRole('link', { name: 'Core data centres' }).click();
  await expect(page.getByText('You can look at these rules, and not change them.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(800);
  expect(refused).toEqual([]);
  await visit(page, '/rules/import');
  await expect(
    page.getByText(/^You are restricted, so of all types you can import these only: .*\(accounts\)/),
  ).toBeVisible();
  const others = await open('/hosts', 'scoped');
  await expect(others.getByRole('link', { name: 'New host' })).toBeVisible();
});

test('who may only read is led nowhere else, and sees which rules are on', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/rules/custom_attributes', 'reader');
  await expect(page.getByRole('cell', { name: 'enabled' }).first()).toBeVisible();
  await expect(page.getByRole('main').getByRole('switch')).toHaveCount(0);
  await visit(page, '/rules/cmk_sites');
  await expect(page.getByText('There are no rules of this type yet.', { exact: true })).toBeVisible();
  await visit(page, '/inventory/automation');
  await expect(page.getByText('which an administrator creates:')).toBeVisible();

  const author = await open('/rules', 'author');
  const types = author.getByRole('table', { name: 'Rule types' });
  await expect(types.getByRole('link', { name: 'Custom variables' })).toBeVisible();
  await author.getByRole('button', { name: 'More types' }).click();
  await expect(author.locator('main a[href$="/rules/cron_groups"]')).toHaveCount(1);
  await expect(types.locator('a:is([href$="/rules/users"], [href$="/rules/accounts"], [href$="/hosts"])')).toHaveCount(
    0,
  );
});

test('plans are read without a look at accounts', { tag: '@thorough' }, async ({ open, service }) => {
  const user = ['user', 'add', 'planner', '--role', 'all', '--read-only', '--password-stdin'];
  await service.place.done(user, { input: PASSWORD });
  const page = await open('/logs', 'planner');
  const refused = refusals(page);
  await visit(page, '/plans');
  // Others may have made some meanwhile.
  await expect(page.getByText('There are no plans.').or(page.getByRole('table')).first()).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Accounts' })).toHaveCount(0);
  expect(refused).toEqual([]);
});

const WRITES =
  /save|create|delete|remove|archive|restore|import|export|run|revoke|enable|disable|move|undo|add|change|set/i;

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/admin${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}
