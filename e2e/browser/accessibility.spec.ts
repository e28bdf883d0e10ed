import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect, operate, test } from '../support/admin.ts';
import { ROOT } from '../support/workplace.ts';

const HOST = 'an-worker1078.eqiad.wmnet';

/** Every page, by what is in it. */
const PAGES: Readonly<Record<string, string>> = {
  overview: '/',
  hosts: '/hosts',
  'found hosts': '/hosts?where=nothing',
  'data quality': '/hosts/quality',
  'new host': '/hosts/new',
  'hosts compared': '/hosts/compare?left=an-worker1078.eqiad.wmnet&right=an-worker1079.eqiad.wmnet',
  host: `/hosts/${HOST}`,
  'host explained': `/hosts/${HOST}?tab=explain`,
  'variables of a host': `/hosts/${HOST}?tab=variables`,
  'relations of a host': `/hosts/${HOST}?tab=relations`,
  'history of a host': `/hosts/${HOST}?tab=history`,
  'host as JSON': `/hosts/${HOST}?tab=json`,
  changes: '/changes',
  accounts: '/accounts',
  'new account': '/accounts/new',
  account: '/accounts/wikimedia',
  'account edited': '/accounts/wikimedia/edit',
  rules: '/rules',
  'deleted rules': '/rules/deleted',
  'rules imported': '/rules/import',
  'rules exported': '/rules/export',
  'rules of a type': '/rules/custom_attributes',
  'new rule': '/rules/custom_attributes/new',
  inventories: '/inventory',
  inventory: '/inventory/automation',
  'host in an inventory': `/inventory/automation/${HOST}`,
  runs: '/runs',
  notifications: '/notifications',
  plans: '/plans',
  playbooks: '/playbooks',
  'cron groups': '/cron',
  'new cron group': '/cron/new',
  logs: '/logs',
  audit: '/logs/audit',
  system: '/system',
  users: '/users',
  'new user': '/users/new',
  user: '/users/reader',
  profile: '/profile',
  'no such page': '/nowhere',
};

const axeSource = readFile(join(ROOT, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** What axe finds, each with the elements that it is about. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(await axeSource);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

for (const colours of ['light', 'dark'] as const) {
  test(`no page has anything that axe finds, ${colours}`, { tag: '@thorough' }, async ({ open }) => {
    test.setTimeout(300_000);
    const page = await open('/logs');
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
    await operate(page, 'imports/import-account', { account: 'wikimedia' });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`/admin${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect.soft(await findings(page), name).toEqual([]);
    }
  });
}
