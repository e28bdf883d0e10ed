import type { Page } from '@playwright/test';
import { expect, operate, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';

const RUN = {
  ...{ id: 'a'.repeat(24), playbook: 'cleanup_versions.yml', provider: 'automation', hostname: null },
  ...{ search: 'rack:r04', group: null, hosts: 1, first_hosts: ['gone'], variables: ['release'] },
  ...{ check_mode: false, source: 'user', started_by: 'root', status: 'failed', exit_code: 2, message: 'exit code 2' },
  ...{ started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:01:00Z', output: 'changed: [gone]\n' },
};

/** A playbook that is there, with an inventory of the sample; what would be started is noted, and is not. */
async function withPlaybook(page: Page): Promise<unknown[]> {
  const asked: unknown[] = [];
  const site = { file: 'cleanup_versions.yml', name: 'Site', inventory: 'automation', description: '' };
  await page.route('**/playbooks/list-playbooks', (route) =>
    route.fulfill({ json: { playbooks: [site], problems: [] } }),
  );
  await page.route('**/playbooks/show-run', (route) => route.fulfill({ json: RUN }));
  await page.route('**/playbooks/run-playbook', (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({ contentType: 'application/x-ndjson', body: `${JSON.stringify({ result: RUN })}\n` });
  });
  return asked;
}

test('running a playbook on more than ten hosts asks first, and says how many', async ({ open }) => {
  const page = await open('/');
  const asked = await withPlaybook(page);
  await page.goto('/admin/playbooks');
  await page.getByRole('button', { name: 'Run Site' }).click();
  await page.getByRole('checkbox', { name: /check mode/ }).uncheck();
  await page.getByRole('button', { name: /^Run for [\d,]+ hosts$/ }).click();
  const question = page.getByRole('alert').filter({ hasText: /Run Site on [\d,]+ hosts\?/ });
  await expect(question).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: /^Run for [\d,]+ hosts$/ }).click();
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: /^Run on [\d,]+ hosts$/ }).click();
  await expect(page.getByText('It has ended: failed')).toBeVisible();
  expect(asked).toEqual([{ playbook: 'cleanup_versions.yml', provider: 'automation', check_mode: false }]);
});

test('a playbook runs for the hosts of a search or a group, which are shown before', async ({ open, name }) => {
  const rack = name();
  const page = await open('/');
  const asked = await withPlaybook(page);
  for (const hostname of [`${rack}-web*:!db`, `${rack}-b`])
    await operate(page, 'hosts/save-host', { hostname, account: 'api', labels: { rack } });
  await page.goto('/admin/playbooks');
  await page.getByRole('button', { name: 'Run Site' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run Site' });
  const start = dialog.getByRole('button', { name: /^Check/ });
  await dialog.getByText('Search', { exact: true }).click();
  await expect(start).toBeDisabled();
  const query = dialog.getByRole('searchbox', { name: 'Search' });
  await query.fill(`rack:${rack}-no-such`);
  await expect(dialog.getByText(/finds no such host/)).toBeVisible();
  await expect(start).toBeDisabled();
  await query.fill(`rack:${rack}`);
  await expect(start).toBeDisabled();
  await expect(dialog.getByText(`2 hosts: ${rack}-b, ${rack}-web*:!db`)).toBeVisible();
  await query.press('Enter');
  expect(asked).toEqual([]);
  expect(await findings(page, dialog)).toEqual([]);
  await dialog.getByRole('button', { name: 'Check 2 hosts' }).click();
  await expect(page.getByText('It has ended: failed')).toBeVisible();
  expect(asked).toMatchObject([{ search: `rack:${rack}`, check_mode: true }]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Run Site' }).click();
  await dialog.getByText('Group', { exact: true }).click();
  await dialog
    .getByRole('combobox', { name: 'Group' })
    .or(dialog.getByRole('textbox', { name: 'Group' }))
    .click();
  await page.getByRole('option', { name: /^site_drmrs/ }).click();
  await expect(dialog.getByRole('button', { name: 'Check 20 hosts' })).toBeEnabled();
});

test('a run is started again with its choices, for the hosts of today', async ({ open, name }) => {
  const rack = name();
  const page = await open('/');
  const asked = await withPlaybook(page);
  await operate(page, 'hosts/save-host', { hostname: `${rack}-a`, account: 'api', labels: { rack } });
  await page.route('**/playbooks/show-run', (route) => route.fulfill({ json: { ...RUN, search: `rack:${rack}` } }));
  await page.goto(`/admin/playbooks/runs/${RUN.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Run of Site');
  await expect(page.getByText('1 host of inventory automation')).toBeVisible();
  await expect(page.getByText(/It ends within seconds/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Run again…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run Site again' });
  await expect(dialog.getByText(`1 host: ${rack}-a`)).toBeVisible();
  await expect(dialog.getByText('That run had release. Values are not kept; write them again.')).toBeVisible();
  await dialog.getByLabel('Further variables').fill('release=2');
  await dialog.getByRole('button', { name: 'Run for 1 host' }).click();
  await expect(page.getByText('It has ended: failed')).toBeVisible();
  expect(asked).toMatchObject([{ search: `rack:${rack}`, check_mode: false, extra_vars: 'release=2' }]);
});
