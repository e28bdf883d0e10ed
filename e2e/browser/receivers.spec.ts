import { expect, operate, test } from '../support/admin.ts';

test('a receiver and a login are no source: each has a test of its own, and nothing asks to export to them', async ({
  open,
  name,
}) => {
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
  await expect(page.getByText('Sends one notification to this receiver now.')).toBeVisible();
  await expect(page.getByText(/Reads the first three records/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('alert')).toContainText(/127\.0\.0\.1/);
  await page.goto(`/admin/accounts/${login}`);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('status').or(page.getByRole('alert')).first()).toBeVisible();
});

test('the events of a notification rule are ticked, and receivers are offered', async ({ api, open, name }) => {
  const receiver = name();
  const rule = name('-rule');
  const page = await open('/notifications');
  await operate(page, 'accounts/add-account', {
    name: receiver,
    type: 'webhook',
    settings: { url: 'http://127.0.0.1:9/hook' },
  });
  await page.goto('/admin/notifications');
  await page.getByRole('link', { name: 'New notification rule' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(rule);
  await page.getByRole('checkbox', { name: /An import or export failed/ }).press('Space');
  await page.getByRole('checkbox', { name: /A source was not imported/ }).press('Space');
  await page.getByRole('combobox', { name: /receivers/ }).click();
  await page.getByRole('option', { name: receiver }).click();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByText('The rule is saved.')).toBeVisible();
  const { rules } = (await api.get('/rules/notification_policies')).body;
  expect(rules.find((candidate: { name: string }) => candidate.name === rule)).toMatchObject({
    events: ['run_failed', 'source_silent'],
    receivers: [receiver],
  });
});

test('running a playbook on more than ten hosts asks first, and says how many', async ({ open }) => {
  const page = await open('/');
  const asked: unknown[] = [];
  const answer = { playbooks: [{ file: 'site.yml', name: 'Site', inventory: 'automation', description: '' }] };
  await page.route('**/playbooks/list-playbooks', (route) => route.fulfill({ json: { ...answer, problems: [] } }));
  await page.route('**/playbooks/run-playbook', (route) => {
    asked.push(route.request().postDataJSON());
    return route.abort();
  });
  await page.goto('/admin/playbooks');
  await page.getByRole('button', { name: /Run/ }).first().click();
  await page.getByRole('checkbox', { name: /check mode/ }).uncheck();
  const run = page.getByRole('button', { name: /^Run for [\d,]+ hosts$/ });
  await run.click();
  const question = page.getByRole('dialog', { name: /Run Site on [\d,]+ hosts\?/ });
  await expect(question).toBeVisible();
  expect(asked).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(asked).toEqual([]);
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
