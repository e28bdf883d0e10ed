import { expect, pictures, test } from './pictures.ts';

test('a rule is changed for many hosts after a look at what it does, and undone', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const hosts = Array.from({ length: 37 }, (_, index) => name(`-${String(index).padStart(2, '0')}`));
  for (const host of hosts) await api.save(host, 'api', { story: name() });
  const rule = {
    name: name(),
    enabled: true,
    condition_typ: 'all',
    conditions: [{ match_type: 'tag', tag: 'story', tag_match: 'equal', value: name(), value_match: 'equal' }],
    outcomes: [{ attribute_name: 'team', attribute_value: 'red' }],
  };
  expect((await api.post('/rules/automation_customvars', rule)).body).toMatchObject({ imported: 1 });
  const team = async () => (await api.get(`/inventory/automation/automation?host=${hosts[3]}`)).body.team;
  expect(await team()).toBe('red');

  const page = await open(`/rules/automation_customvars?search=${name()}`);
  await page.getByRole('link', { name: name() }).click();
  const outcome = page.getByRole('group', { name: 'outcome 1' });
  await outcome.getByLabel('attribute_value').fill('blue');
  await page.getByRole('button', { name: 'Compare all hosts' }).click();
  await expect(page.getByText(/^37 of [\d,]+ hosts would change/)).toBeVisible();
  await pictures(page, 'rule-for-37-hosts');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(team).toBe('blue');

  await page.getByRole('tab', { name: 'History' }).click();
  await pictures(page, 'history-of-a-rule');
  await page.getByRole('button', { name: 'Go back to this' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
  await expect.poll(team).toBe('red');
});
