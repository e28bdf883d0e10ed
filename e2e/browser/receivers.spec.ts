import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { answeringServer } from '../../src/testing/faulty-server.ts';
import { expect, operate, test } from '../support/admin.ts';

test('a receiver and a login are no source: each has a test of its own, and nothing asks to export to them', {
  tag: '@thorough',
}, async ({ open, name }) => {
  const receiver = name();
  const login = name('-login');
  const page = await open('/');
  await operate(page, 'accounts/add-account', {
    name: receiver,
    type: 'webhook',
    settings: { url: 'http://127.0.0.1:9/hook' },
  });
  await operate(page, 'accounts/add-account', {
    name: login,
    type: 'proxy-sign-in',
    settings: { certificate: 'proxy' },
  });
  const answers = async (operation: string): Promise<string> => {
    const answer = await page.request.post(`/admin/api/operations/${operation}`, { data: {} });
    return answer.text();
  };
  const listed = (await answers('syncer/list-account-runs')) + (await answers('runs/list-strips'));
  expect(listed).toContain('wikimedia');
  for (const account of [receiver, login]) expect(listed).not.toContain(account);
  await page.goto(`/admin/accounts/${receiver}`);
  await expect(page.getByText(/Reads the first three records/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('alert')).toContainText(/127\.0\.0\.1/);
  await page.goto(`/admin/accounts/${login}`);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('status').or(page.getByRole('alert')).first()).toBeVisible();
});

test('a receiver is added, tested and told of ticked events in one room, and gets a failed run', {
  tag: '@thorough',
}, async ({ api, open, name, service: { place } }) => {
  const receiver = name();
  const source = name('-source');
  const server = await answeringServer(() => ({ body: '' }));
  const told = (event: string) => server.requests.filter(({ headers }) => headers['x-muster-event'] === event);
  const rules = async (): Promise<object[]> => (await api.get('/rules/notification_policies')).body.rules;
  const page = await open('/notifications');
  await operate(page, 'accounts/add-account', {
    name: source,
    type: 'csv',
    settings: { path: join(place.directory, 'none.csv'), hostname_field: 'host' },
  });
  await page.getByRole('link', { name: 'Add receiver' }).click();
  await expect(page.getByRole('radio', { name: /NetBox/ })).toHaveCount(0);
  await page.getByRole('radio', { name: /^Webhook/ }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(receiver);
  await page.getByRole('textbox', { name: /^Address/ }).fill(server.address);
  await expect(page.getByText(/Has objects instead of hosts|only rules can read them/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Add receiver' }).click();

  const row = page.getByRole('table', { name: 'Receivers' }).getByRole('row').filter({ hasText: receiver });
  await expect(row).toContainText('Nothing sent yet');
  await row.getByRole('button', { name: 'Send a test' }).click();
  await expect(row).toContainText(`${receiver} took a notification.`);
  expect(told('test')).toHaveLength(1);

  await row.getByRole('button', { name: 'Choose events' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('checkbox', { name: 'An import or export failed' }).press('Space');
  await form.getByRole('combobox', { name: /Only about/ }).fill(source);
  await page.getByRole('option', { name: source }).click();
  await page.keyboard.press('Tab');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  await expect(row).toContainText('An import or export failed');
  await expect(row).toContainText(`only about ${source}`);
  expect(await rules()).toContainEqual(
    expect.objectContaining({ name: receiver, events: ['run_failed'], subjects: [source], receivers: [receiver] }),
  );

  // What failed before the service has looked at the new rule is no news.
  await expect(async () => {
    await page.request.post('/admin/api/operations/imports/import-account', { data: { account: source } });
    expect(told('run_failed')).not.toHaveLength(0);
  }).toPass({ intervals: [3000], timeout: 60_000 });
  const sent = page.getByRole('table', { name: 'Notifications' }).getByRole('row').filter({ hasText: receiver });
  await expect(sent.filter({ hasText: 'Sent' })).toHaveCount(1, { timeout: 20_000 });

  await row.getByRole('button', { name: 'Choose events' }).click();
  await expect(form.getByRole('checkbox', { name: 'An import or export failed' })).toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'A cron group failed' })).not.toBeChecked();
  await form.getByRole('checkbox', { name: 'An import or export failed' }).press('Space');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Nothing yet');
  expect(await rules()).not.toContainEqual(expect.objectContaining({ name: receiver }));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('An import or export failed');
  await server.close();
});

test('what ticks cannot say stands below them, and who only reads is told why', async ({ api, open, name }) => {
  const receiver = name();
  const rule = { name: name('-rule'), enabled: true, events: ['threshold'], receivers: [receiver, name('-other')] };
  const page = await open('/notifications');
  await operate(page, 'accounts/add-account', {
    name: receiver,
    type: 'webhook',
    settings: { url: 'http://127.0.0.1:9/hook' },
  });
  await operate(page, 'rules/save-rule', { rule_type: 'notification_policies', document: rule });
  const other = (shown: Page) =>
    shown.getByRole('table', { name: 'Other notification rules' }).getByRole('row').filter({ hasText: rule.name });
  const row = (shown: Page) =>
    shown
      .getByRole('table', { name: 'Receivers' })
      .getByRole('row')
      .filter({ has: shown.getByRole('link', { name: receiver, exact: true }) });
  await page.reload();
  await expect(row(page)).toContainText(`By the rule ${rule.name}`);
  await row(page).getByRole('button', { name: 'Choose events' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'A cron group failed' }).press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(row(page)).toContainText('A cron group failed');
  const { rules } = (await api.get('/rules/notification_policies')).body;
  expect(rules).toContainEqual(expect.objectContaining(rule));
  await other(page).getByRole('link', { name: rule.name }).click();
  await expect(page.getByRole('heading', { level: 1, name: rule.name })).toBeVisible();

  const reading = await open('/notifications', 'reader');
  await expect(reading.getByText('You may only read, so you cannot choose events.')).toBeVisible();
  await expect(row(reading)).toContainText('A cron group failed');
  await expect(reading.getByRole('button', { name: /Choose events/ })).toHaveCount(0);
});

test('a condition without an attribute is not saved', async ({ open, name }) => {
  const page = await open('/rules/custom_attributes/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name());
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByText('name the attribute; without a name it never holds', { exact: true })).toBeVisible();
});

test('JSON is readable in dark colours', async ({ open }) => {
  const page = await open('/rules/custom_attributes/new');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', 'dark')`);
  await page.reload();
  await page.getByRole('button', { name: 'Document (JSON)', expanded: false }).click();
  await expect(page.getByRole('textbox', { name: 'Document (JSON)' })).toBeVisible();
  // A text of its own: the compiler of the tests does not know what a browser has.
  const least = await page.evaluate<number>(`(() => {
    const light = (colour) => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[0-9.]+/g) ?? []).map((part) => {
        const value = Number(part) / 255;
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const editor = document.querySelector('.code-editor .cm-editor');
    const ground = light(getComputedStyle(editor).backgroundColor);
    return Math.min(...[...editor.querySelectorAll('.cm-line span')].map((span) => {
      const text = light(getComputedStyle(span).color);
      return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    }));
  })()`);
  expect(least).toBeGreaterThan(4.5);
});
