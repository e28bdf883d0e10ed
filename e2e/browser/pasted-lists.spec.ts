import { expect, test } from '../support/admin.ts';

test('somebody pastes a list, corrects a cell by keyboard, tries it, saves it and asks why a row is as it is @thorough', async ({
  api,
  open,
  name,
}) => {
  const stored = name('-a.example.org');
  const row = name('-b.example.org');
  await api.post(`/objects/${stored}`, { account: 'api', labels: { site: 'berlin' } });
  const page = await open('/rules/automation_customvars/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name());
  await expect(page.getByRole('button', { name: 'Add condition' })).toBeVisible();
  await page.getByLabel('The rule looks at').selectOption('list');
  await expect(page.getByRole('button', { name: 'Add condition' })).toBeHidden();
  const text = page.getByRole('textbox', { name: 'Pasted list (list_source)' });
  await text.fill(`hostname;Service Level\n${stored};gold;x`);
  await expect(text).toHaveAccessibleDescription(/line 2: cell 3 \("x"\) has no column/);
  const rows = Array.from({ length: 60 }, (_, index) => `${name(`-${index}`)};bronze`);
  await text.fill(['hostname;Service Level', `${stored};gold`, `${row};silver`, ';lost', ...rows].join('\n'));
  const table = page.getByRole('table', { name: 'Rows of the pasted list' });
  await expect(table.getByRole('columnheader')).toHaveText(['Line', 'hostname', 'service_level']);
  await expect(table.getByRole('row')).toHaveCount(51);
  await expect(page.getByText('and 13 more rows')).toBeVisible();
  await expect(
    page.getByText(
      '63 rows, 2 columns, separated by semicolons. 1 without a hostname or name, which make nothing (line 4).',
    ),
  ).toBeVisible();

  await table.getByRole('textbox', { name: 'service_level, line 2', exact: true }).fill('platinum');
  await page.keyboard.press('Enter');
  await expect(table.getByRole('textbox', { name: 'service_level, line 3', exact: true })).toBeFocused();
  await page.keyboard.type('typed in vain');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowUp');
  await expect(table.getByRole('textbox', { name: 'service_level, line 2', exact: true })).toBeFocused();
  await expect(text).toHaveValue(new RegExp(`^hostname;Service Level\n${stored};platinum\n${row};silver\n;lost\n`));

  await page.getByRole('button', { name: 'Add outcome' }).click();
  await page.getByRole('combobox', { name: 'attribute_name' }).fill('tier');
  await page.getByRole('textbox', { name: 'attribute_value' }).fill('{{ service_level|upper }}');
  await page.getByRole('button', { name: 'Try the first rows' }).click();
  const made = page.getByRole('table', { name: 'Results of the rule for the rows' });
  await expect(made.getByRole('row').nth(1)).toContainText('in the place of the stored host');
  await expect(made.getByRole('row').nth(1)).toContainText('tier: PLATINUM');
  await expect(made.getByRole('row').nth(3)).toContainText('makes nothing');
  await expect(page.getByText('The first 20 of 63 rows in the inventory of automation:')).toBeVisible();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(
    page.getByText('list_source: 1 row has no hostname and no name, and so no effect: line 4.'),
  ).toBeVisible();

  const explained = await open(`/hosts/${row}?tab=explain`);
  await expect(explained.getByText(/Included in "automation".* It is line 3 of the list of/)).toBeVisible();
  const values = explained.getByRole('region', { name: 'Values that the inventory shows' });
  await expect(values.getByRole('listitem', { name: 'service_level' })).toContainText(
    `line 3 of the list of rule "${name()}"`,
  );
  const replaced = await open(`/hosts/${stored}?tab=explain`);
  await expect(replaced.getByText('takes the place of the stored host of this name.')).toBeVisible();
  // Rows belong to no account.
  const scoped = await open(`/hosts/${row}?tab=explain`, 'scoped');
  await expect(scoped.getByText('Included in "automation"')).toBeHidden();
  await expect(scoped.getByRole('alert')).toBeVisible();
});
