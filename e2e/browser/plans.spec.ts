import type { Page } from '@playwright/test';
import { DeviceRegistry } from '../../test/support/device-registry.ts';
import { test as base, expect, operate } from '../support/admin.ts';
import { allNeeds } from './support/needs.ts';

/** A system with sites and devices, which accounts of this file are exported to. */
const test = base.extend<{ readonly registry: DeviceRegistry }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  registry: async ({}, use) => {
    const registry = await new DeviceRegistry().start();
    await use(registry);
    await registry.stop();
  },
});

async function addTarget(page: Page, name: string, registry: DeviceRegistry, options: object = {}): Promise<void> {
  const settings = { url: registry.url, ...options };
  await operate(page, 'accounts/add-account', { name, type: 'device-registry', password: 'sesame', settings });
}

const figure = (page: Page, label: string) =>
  page.getByText(label, { exact: true }).locator('xpath=following-sibling::*');

test('a plan is made, read, narrowed down and applied, and says what happened to each change', async ({
  open,
  registry,
}) => {
  const page = await open('/accounts');
  await addTarget(page, 'registry', registry);
  await page.goto('/admin/accounts/registry');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plan for registry' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('ready', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Changes' }).getByRole('listitem')).toHaveCount(100);
  expect(registry.writes).toEqual([]);

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/after=100/);
  await expect(page.getByText('Changes 101 to 200')).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('Changes 1 to 100')).toBeVisible();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Devices' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('mwdebug2001');
  await expect(page).toHaveURL(/kind=device.*text=mwdebug2001|text=mwdebug2001.*kind=device/);
  const change = page.getByRole('listitem').filter({ hasText: 'mwdebug2001' });
  await expect(change).toContainText('create');
  await page.reload();
  await expect(change.getByRole('link', { name: /mwdebug2001/ })).toHaveAttribute(
    'href',
    /\/admin\/hosts\/mwdebug2001/,
  );

  // Somebody makes one of them meanwhile.
  const hostname = (await change.getByRole('link').first().textContent()) ?? '';
  registry.put('devices', { name: hostname, owner: 'somebody' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Not all of it was done')).toBeVisible({ timeout: 30_000 });
  await expect(change).toContainText('there already');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'done' }).first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'there already' }).click();
  await expect(page.getByRole('list', { name: 'Changes' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: 'Plans' }).last().click();
  await expect(page.getByRole('row', { name: /registry/ }).first()).toContainText('by root');
});

test('a plan that is too big says what to do, and drift and secrets are told', { tag: '@thorough' }, async ({
  open,
  registry,
}) => {
  const page = await open('/accounts');
  await addTarget(page, 'guarded', registry, { change_threshold: '0' });
  await operate(page, 'exports/export-account', { account: 'guarded' });
  const [device] = [...registry.devices.values()];
  Object.assign(device ?? {}, { site: 'elsewhere', version: '"7"' });
  await page.goto('/admin/accounts/guarded');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await expect(page.getByText('This plan may not be applied')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/change_threshold of the account allows 0/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply' })).toHaveCount(0);
  const change = page.getByRole('listitem').filter({ hasText: device?.name ?? '' });
  await expect(change).toContainText('Drift: what Muster had written was changed there');
  await expect(change.locator('del')).toHaveText('elsewhere');
  const url = page.url();
  await page.goto('/admin/');
  const need = (await allNeeds(page)).getByRole('listitem').filter({ hasText: 'driftguarded' });
  await expect(need).toContainText('guarded 1 object changed there since the last export');
  await need.getByRole('link', { name: 'See changes' }).click();
  await expect(page).toHaveURL(url);
  await page.getByRole('link', { name: 'Options of guarded' }).click();
  await expect(page).toHaveURL(/accounts\/guarded\/edit/);
});

test('a plan that needs a second person is approved by another one than who made it', { tag: '@thorough' }, async ({
  open,
  registry,
}) => {
  const needsOfWatched = async (shown: Page) =>
    (await allNeeds(shown)).getByRole('listitem').filter({ hasText: 'watched' });
  const page = await open('/accounts');
  await addTarget(page, 'watched', registry, { approval_above: '0' });
  await page.goto('/admin/accounts/watched');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await expect(page.getByText('You made this plan, so another administrator has to approve it')).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByRole('button', { name: /Approve|Apply/ })).toHaveCount(0);
  const place = new URL(page.url()).pathname.slice('/admin'.length);

  const read = await open(place, 'reader');
  await expect(read.getByText('when an administrator has approved it')).toBeVisible();
  await expect(read.getByRole('button', { name: /Approve|Apply|Discard/ })).toHaveCount(0);

  const other = await open(place, 'second');
  await other.getByRole('button', { name: 'Approve' }).press('Enter');
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter');
  await expect(figure(other, 'Approved')).toContainText('by second');
  await expect(other.getByRole('button', { name: 'Apply' })).toBeVisible();

  await other.getByRole('button', { name: 'Discard' }).press('Enter');
  await other.getByRole('dialog').getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(other.getByText('Second discarded it.')).toBeVisible();
  await expect(other.getByRole('button', { name: /Approve|Apply|Discard/ })).toHaveCount(0);
  await other.goto('/admin/');
  await expect(await needsOfWatched(other)).toHaveText([/never ran/]);

  // An export that only waits is told as that, and its plan alone needs somebody, until he decides.
  await page.goto('/admin/accounts/watched');
  await page.getByRole('button', { name: 'Export now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Export waits for approval')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('img', { name: 'waits for approval' })).toBeVisible();
  await other.goto('/admin/');
  const waiting = await needsOfWatched(other);
  await expect(waiting).toHaveText([/waits for another administrator/]);
  await waiting.getByRole('link', { name: 'Review' }).click();
  await other.getByRole('button', { name: 'Discard' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(other.getByText('Second discarded it.')).toBeVisible();
  await other.goto('/admin/');
  await expect(await needsOfWatched(other)).toHaveCount(0);
  await other.goto('/admin/accounts/watched');
  await expect(other.getByRole('img', { name: 'discarded' })).toBeVisible();
  await expect(other.getByText('Export again to complete it.')).toBeVisible();
  const stranger = await open('/plans', 'objects');
  await expect(stranger.getByText('This is for administrators')).toBeVisible();
});

test('an account that owns objects elsewhere is deleted where they are left there', { tag: '@thorough' }, async ({
  open,
  registry,
}) => {
  const page = await open('/accounts');
  await addTarget(page, 'leaving', registry);
  await operate(page, 'exports/export-account', { account: 'leaving' });
  const made = registry.devices.size;
  expect(made).toBeGreaterThan(0);
  await page.goto('/admin/accounts/leaving');
  const dialog = page.getByRole('dialog', { name: 'Delete account leaving?' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText('relations, and inventory sections');
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'account leaving owns' })).toBeVisible();

  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('checkbox', { name: /Leave the objects/ }).check();
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page).toHaveURL(/\/admin\/accounts$/);
  await expect(page.getByRole('link', { name: 'leaving', exact: true })).toHaveCount(0);
  expect(registry.devices.size).toBe(made);
});

test('rules of a target are named in its plans, and a host says what the target is to have of it', {
  tag: '@thorough',
}, async ({ open, registry }) => {
  const page = await open('/accounts');
  const label = (value: string) => [{ match_type: 'host', hostname_match: 'equal', hostname: value }];
  const rule = { enabled: true, project: 'registry', condition_typ: 'all' };
  await operate(page, 'rules/import-rules', {
    rules: {
      automation_projects: [{ name: 'registry', enabled: true }],
      registry_filter: [{ ...rule, name: 'without this one', conditions: label('mwdebug2002.codfw.wmnet') }],
      registry_fields: [
        {
          ...rule,
          name: 'the room',
          conditions: label('mwdebug2001.codfw.wmnet'),
          outcomes: [{ field: 'site', value: 'room 7' }],
        },
      ],
    },
  });
  await addTarget(page, 'ruled', registry, { project: 'registry' });
  await page.goto('/admin/hosts/mwdebug2001.codfw.wmnet?tab=explain');
  await page.getByLabel('Inventory or export', { exact: true }).selectOption('ruled');
  await expect(page.getByText('Goes to ruled')).toBeVisible();
  const wanted = page.getByRole('region', { name: 'Desired state in ruled' });
  await expect(wanted).toContainText('device mwdebug2001.codfw.wmnet by rule “the room”');
  await expect(wanted).toContainText('site: room 7');
  await wanted.getByRole('button', { name: 'rule “the room”' }).click();
  await expect(page.getByRole('listitem', { name: 'the room: hit' })).toBeFocused();
  await page.goto('/admin/hosts/mwdebug2002.codfw.wmnet?tab=explain&target=ruled');
  await expect(page.getByText('Does not go to ruled: rule “without this one” hides it.')).toBeVisible();

  await page.goto('/admin/accounts/ruled');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('mwdebug2001');
  const change = page.getByRole('listitem').filter({ hasText: 'mwdebug2001' });
  await expect(change.getByRole('link', { name: 'the room' })).toBeVisible({ timeout: 30_000 });
  await expect(change.filter({ hasText: 'device' })).toContainText('room 7');
});
