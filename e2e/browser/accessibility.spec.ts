import type { Locator, Page } from '@playwright/test';
import { expect, operate, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';
import { DIALOGS, PAGES } from './support/all-pages.ts';

const MINUTE = 60_000;
/** Rules of axe whose answer depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Expects that axe finds nothing on the page or a part of it: in light, and in dark, which differs in its colours alone. */
async function examine(page: Page, what: string, part?: Locator): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const found = await findings(page, part, colorScheme === 'dark' ? { runOnly: OF_COLOURS } : {});
    expect.soft(found, `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Examines each list that opens below a field or button of a part of the page, once for each name. */
async function examineDropDowns(page: Page, what: string, part: Locator, known: Set<string>): Promise<void> {
  for (const opener of await part.locator('[aria-haspopup]:visible:enabled:not([readonly])').all()) {
    const name = await opener.evaluate<string, undefined>(
      "(field) => field.getAttribute('aria-label') ?? field.labels?.[0]?.innerText ?? field.innerText",
    );
    if (known.has(name)) continue;
    known.add(name);
    await opener.click();
    const list = page.locator(`[id="${await opener.getAttribute('aria-controls')}"]`);
    // A field that can suggest nothing opens nothing.
    if (!(await list.isVisible())) continue;
    await examine(page, `${what}: ${name} opened`, list);
    await page.keyboard.press('Escape');
  }
}

async function go(page: Page, path: string): Promise<void> {
  await page.goto(`/admin${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Examines a page with everything on it unfolded and a row added to each list of a form, and its drop-downs. */
async function examinePage(page: Page, what: string, path: string, known: Set<string>): Promise<void> {
  await go(page, path);
  const main = page.getByRole('main');
  const folded = main.locator(
    'button[aria-expanded=false]:visible:not([aria-haspopup]), details:not([open]) > summary',
  );
  for (let left = 8; left > 0 && (await folded.count()) > 0; left--) await folded.first().click();
  for (const adder of await main
    .getByRole('button', { name: /^Add (a job|a value|value|label|condition|outcome|entry|row)/ })
    .all()) {
    if (await adder.isEnabled()) await adder.click();
  }
  await examine(page, what);
  await examineDropDowns(page, what, main, known);
}

test('no page has anything that axe finds', { tag: '@thorough' }, async ({ open }) => {
  test.setTimeout(15 * MINUTE);
  const page = await open('/logs');
  await operate(page, 'imports/import-account', { account: 'wikimedia' });
  const known = new Set<string>();
  for (const [name, path] of Object.entries(PAGES)) await examinePage(page, name, path, known);
});

test('no form of an account has anything that axe finds', { tag: '@thorough' }, async ({ open }) => {
  test.setTimeout(15 * MINUTE);
  const page = await open('/accounts/new');
  const answer = await page.request.post('/admin/api/operations/accounts/list-account-types', { data: {} });
  const known = new Set<string>();
  for (const { id } of (await answer.json()).types) await examinePage(page, id, `/accounts/new?type=${id}`, known);
});

test('no editor of rules has anything that axe finds', { tag: '@thorough' }, async ({ open }) => {
  test.setTimeout(15 * MINUTE);
  const page = await open('/rules');
  const answer = await page.request.post('/admin/api/operations/rules/describe-rule-types', { data: {} });
  const known = new Set<string>();
  for (const { id } of (await answer.json()).types) await examinePage(page, id, `/rules/${id}/new`, known);
});

test('no dialog has anything that axe finds', { tag: '@thorough' }, async ({ open, api, name }) => {
  test.setTimeout(15 * MINUTE);
  // Another session, which can be ended.
  await open('/profile');
  const page = await open('/hosts');
  for (const suffix of ['', '-a', '-archived']) await api.save(name(suffix), 'api', { site: 'eqiad' });
  await api.save(name(), 'api', { site: 'codfw' });
  await operate(page, 'relations/add-relation', { hostname: name(), type: 'connects_to', target: name('-a') });
  await operate(page, 'hosts/archive-host', { hostname: name('-archived') });
  const outcomes = [{ attribute_name: 'x', attribute_value: '{{ name }}' }];
  const members = { name: name('-rule'), enabled: true, condition_typ: 'anyway', outcomes };
  await api.post('/rules/custom_attributes', members);
  const { rules } = (await api.get('/rules/custom_attributes')).body;
  const rule = rules.find((candidate: { name: string }) => candidate.name === members.name)._id.$oid;
  const jobs = [{ name: 'import', command: 'import', account: 'wikimedia' }];
  await api.post('/rules/cron_groups', { name: name('-group'), enabled: false, jobs });
  const settings = { address: 'smtp://127.0.0.1', to: 'ops@example.org', from: 'muster@example.org' };
  await operate(page, 'accounts/add-account', { name: name('-mail'), type: 'mail', settings });
  const known: Readonly<Record<string, string>> = { host: name(), rule, group: name('-group') };
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await examine(page, 'keyboard shortcuts');
  for (const [what, pattern, ...buttons] of DIALOGS) {
    const path = pattern.replace(/<(\w+)>/, (_, kind) => known[kind] ?? kind);
    await go(page, path);
    for (const named of buttons.map((button) => ({ name: button, exact: true }))) {
      const opener = page
        .getByRole('button', named)
        .or(page.getByRole('tab', named))
        .or(page.getByRole('switch', named));
      await opener.first().press('Space', { timeout: 20_000 });
    }
    const dialog = page.getByRole('dialog').or(page.getByRole('menu')).or(page.getByRole('main')).last();
    await examine(page, what);
    await examineDropDowns(page, what, dialog, new Set());
  }
});

/** A window of 1280 pixels at 200 %, and at 400 %. */
for (const { zoom, width } of [
  { zoom: 200, width: 640 },
  { zoom: 400, width: 320 },
]) {
  test(`no page needs sideways moving at ${zoom} %`, { tag: '@thorough' }, async ({ open }) => {
    test.setTimeout(300_000);
    const page = await open('/logs');
    await page.setViewportSize({ width, height: 512 });
    for (const [name, path] of Object.entries(PAGES)) {
      await go(page, path);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect.soft(beyond, name).toBeLessThanOrEqual(0);
    }
  });
}
