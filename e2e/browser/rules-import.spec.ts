import { expect, test } from '../support/admin.ts';

const TYPE = 'automation_customvars';

function variable(name: string, value: string, more: object = {}) {
  // Of no other test, as these rules hit all hosts.
  const outcomes = [{ attribute_name: 'imported_tier', attribute_value: value }];
  return { name, enabled: true, condition_typ: 'anyway', conditions: [], outcomes, ...more };
}

test('an import tells what differs from what is here, and asks which of the two is wanted', {
  tag: '@thorough',
}, async ({ api, open, name }) => {
  const [isSame, differs, isNew] = [name('same'), name('differs'), name('new')];
  await api.post(`/rules/${TYPE}`, [variable(isSame, 'core'), variable(differs, 'core')]);
  const page = await open('/rules/import');
  const rules = [variable(isSame, 'core'), variable(differs, 'edge'), { ...variable(isNew, 'x'), sort_feild: 10 }];
  const preview = page.getByRole('button', { name: 'Show what it would do' });
  await page.getByLabel('Or the text itself').fill(JSON.stringify({ rules: { [TYPE]: rules, cron_groups: [] } }));
  await preview.click();
  await expect(page.getByText('1 rule is new, 1 is the same as here, 1 differs from what is here.')).toBeInViewport();
  await expect(page.getByRole('table', { name: 'Rules by type' }).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Warnings: stored anyway' })).toContainText(
    'sort_feild: is an unknown member and has no effect; did you mean sort_field?',
  );
  const differing = page.getByRole('region', { name: 'Different from what is here' });
  await expect(differing.getByRole('table', { name: `Differences of ${differs}` })).toContainText('edge');
  await expect(differing.getByRole('radio', { name: 'Keep what is here' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Import 1 rule', exact: true })).toBeVisible();
  await differing.getByRole('radio', { name: 'Take what the file has' }).check();
  await expect(page.getByRole('button', { name: 'Import 2 rules' })).toBeVisible();
  const take = differing.getByRole('checkbox', { name: `Take ${differs} from the file` });
  await take.uncheck();
  await expect(differing.getByRole('button', { name: differs })).toContainText('stays as it is here');
  await expect(page.getByRole('button', { name: 'Import 1 rule', exact: true })).toBeVisible();
  await take.check();
  await page.getByRole('button', { name: 'Import 2 rules' }).click();
  await expect(page.getByText('1 rule is imported. 1 is replaced. 1 was the same already.')).toBeVisible();
  await preview.click();
  await expect(page.getByRole('button', { name: 'There is nothing to import' })).toBeDisabled();
});
