import type { Page } from '@playwright/test';
import { expect, test } from '../support/admin.ts';

const AUTORULES = 'syncer_rule_automation';

/** Others find the installation without autorules, as the sample has it. */
async function deleteIt(page: Page) {
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await expect(page.getByText(/^This rule was deleted|^There is no such rule/).first()).toBeVisible();
}

test('one rule for each site is made by the form of its type, previewed, run and undone', {
  tag: '@thorough',
}, async ({ open, name }) => {
  const page = await open(`/rules/${AUTORULES}/new`);
  await page.getByLabel('Name').first().fill(name());
  await page.getByRole('combobox', { name: 'Type of the rules' }).fill('Custom attr');
  await page.getByRole('option', { name: /^custom_attributes/ }).click();
  const made = page.getByRole('group', { name: 'The rule that is made' });
  await expect(made.getByLabel('Name', { exact: false }).first()).toHaveValue('{{ HOSTNAME }}');
  await made.getByRole('radio', { name: /^value of an attribute/ }).check();
  await made.getByRole('combobox', { name: 'Attribute', exact: true }).fill('site');
  await page.keyboard.press('Escape');
  await expect(made.getByLabel('Only where')).toHaveValue('site');
  const named = made.getByRole('textbox', { name: 'Name' });
  await expect(named).toHaveValue('{{ site }}');
  await named.fill(`${name()} {{ site }}`);
  await made.getByRole('combobox', { name: 'The rule hits when' }).selectOption('always');
  await made.getByRole('button', { name: 'Add outcome' }).click();
  await made.getByRole('group', { name: 'outcome 1' }).getByRole('combobox', { name: 'attribute_name' }).fill('where');
  await made.getByRole('group', { name: 'outcome 1' }).getByRole('textbox').last().fill('in {{ site }}');
  await expect(page.getByText(/^A run makes \d+ rules of [\d,]+ hosts\.$/)).toBeVisible({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Show the rules' }).click();
  const rules = page.getByRole('table', { name: 'Rules that would be made' });
  await expect(rules.getByRole('row', { name: `${name()} codfw` })).toContainText('then where = in codfw');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByRole('button', { name: 'Preview and run…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this autorule' });
  await expect(dialog.getByRole('row', { name: `${name()} codfw` })).toContainText('always');
  await dialog.getByRole('button', { name: /^Make \d+ rules$/ }).click();
  const told = page.getByRole('alert').filter({ hasText: 'Autorules made' });
  await expect(told).toBeVisible();
  await page.goto('/admin/rules/custom_attributes');
  await page.getByRole('link', { name: `${name()} codfw` }).click();
  await expect(page.getByText(`made by autorule ${name()} for `)).toBeVisible();
  await page.getByRole('link', { name: name(), exact: true }).click();
  await page.getByRole('button', { name: 'Preview and run…' }).click();
  await expect(dialog.getByRole('button', { name: 'There is nothing to make' })).toBeDisabled();
  await dialog
    .getByRole('button', { name: /^Delete \d+ rules$/ })
    .first()
    .click();
  await expect(page.getByRole('alert').filter({ hasText: /^Deleted \d+ rules that the run had made/ })).toBeVisible();
  await dialog.getByRole('button', { name: /^Make \d+ rules$/ }).click();
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /^Deleted \d+ rules that the run had made/ })
      .last(),
  ).toBeVisible();
  await deleteIt(page);
});

test('an attribute that is an object is told of by name while the rule is written', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const label = name().replaceAll(/\W/g, '_');
  expect(
    (
      await api.post(`/objects/${name()}`, {
        account: 'api',
        labels: { [`${label}.id`]: 21, [`${label}.name`]: 'MDF' },
      })
    ).status,
  ).toBe(200);
  const body = `{% if ${label} %}{"name": "Site {{ ${label} }}", "condition_typ": "anyway", "outcomes": []}{% endif %}`;
  const autorule = { name: name(), enabled: false, rule_type: 'custom_attributes', rule_body: body };
  expect((await api.post(`/rules/${AUTORULES}`, autorule)).body).toMatchObject({ imported: 1 });
  const page = await open(`/rules/${AUTORULES}/${name()}`);
  const warning = page.getByRole('alert').filter({ hasText: `The attribute ${label} is an object` });
  await expect(warning).toContainText(`{{ ${label}.name }}`, { timeout: 15_000 });
  await page.getByRole('button', { name: 'Preview and run…' }).click();
  await expect(page.getByRole('dialog')).toContainText('This autorule is disabled');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await deleteIt(page);
});
