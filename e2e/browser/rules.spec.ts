import type { Page } from '@playwright/test';
import { expect, test } from '../support/admin.ts';
import type { Api } from '../support/api.ts';

/** A rule that sets a variable on one host. */
function variable(name: string, hostname: string, more: object = {}) {
  return {
    name,
    enabled: true,
    condition_typ: 'all',
    conditions: [{ match_type: 'host', hostname, hostname_match: 'equal', hostname_match_negate: false }],
    outcomes: [{ attribute_name: 'tier', attribute_value: 'core' }],
    ...more,
  };
}

const TYPE = 'automation_customvars';

function documentField(page: Page) {
  return page.getByRole('textbox', { name: 'Document (JSON)' });
}

/** It is folded away where a form stands beside it. */
async function openDocument(page: Page) {
  await page.getByRole('button', { name: 'Document (JSON)', expanded: false }).click();
  await expect(documentField(page)).toBeVisible();
}

/** Stores a rule and answers its id. */
async function stored(api: Api, type: string, rule: { name: string }): Promise<string> {
  const { body } = await api.post(`/rules/${type}`, rule);
  expect(body).toMatchObject({ imported: 1 });
  const { rules } = (await api.get(`/rules/${type}`)).body;
  return rules.find((candidate: { name: string }) => candidate.name === rule.name)._id.$oid;
}

test('somebody makes a rule by keyboard, sees what is wrong with it, tries it and saves it', async ({
  api,
  open,
  name,
}) => {
  const host = name('.example.org');
  await api.post(`/objects/${host}`, { account: 'api', labels: { site: 'berlin' } });
  const page = await open('/rules/automation_customvars');
  await page.getByRole('link', { name: 'New rule' }).focus();
  await page.keyboard.press('Enter');
  // After all that are there: the sample's are at 10 and more.
  await expect(page.getByRole('textbox', { name: 'Position' })).not.toHaveValue('0');
  await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
  await page.keyboard.type(name());
  await page.getByRole('button', { name: 'Add condition' }).focus();
  await page.keyboard.press('Enter');
  const condition = page.getByRole('group', { name: 'condition 1' });
  await expect(condition.getByRole('combobox', { name: 'Checks' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await condition.getByRole('textbox', { name: 'Hostname compared with' }).focus();
  await page.keyboard.type(host);
  await page.getByRole('button', { name: 'Add outcome' }).focus();
  await page.keyboard.press('Enter');
  const outcome = page.getByRole('group', { name: 'outcome 1' });
  await expect(outcome.getByRole('combobox', { name: 'attribute_name' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('{{ site');
  await page.getByRole('button', { name: 'Create rule' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('outcomes 1, attribute name: is required');
  await expect(outcome.getByRole('combobox', { name: 'attribute_name' })).toHaveAccessibleDescription(/is required/);
  await outcome.getByRole('combobox', { name: 'attribute_name' }).fill('where');
  await outcome.getByRole('textbox', { name: 'attribute_value' }).fill('{{ site|upper }}');
  await expect(page.getByRole('alert')).toBeHidden();

  await page.getByRole('textbox', { name: 'Hostname', exact: true }).fill(host);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`The rule hits ${host}`)).toBeVisible();
  await expect(page.getByRole('table', { name: `Changes of ${host}` })).toContainText('BERLIN');
  await page.getByRole('button', { name: 'Compare all hosts' }).click();
  await expect(page.getByText(/^1 of [\d,]+ hosts would change in the inventory of automation/)).toBeVisible();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByRole('heading', { level: 1, name: name() })).toBeVisible();
  const { body } = await api.get(`/inventory/automation/automation?host=${host}`);
  expect(body).toMatchObject({ where: 'BERLIN' });
});

test('form and document are the same, unknown members survive, and what others saved is not lost', {
  tag: '@thorough',
}, async ({ api, open, name }) => {
  const rule = variable(name(), name('.example.org'), { kept: { deep: [1, 2] } });
  const id = await stored(api, TYPE, rule);
  const page = await open(`/rules/${TYPE}/${id}`);
  await page.getByRole('textbox', { name: 'attribute_value' }).fill('edge');
  await openDocument(page);
  await expect(documentField(page)).toContainText('"attribute_value": "edge"');
  await documentField(page).fill(JSON.stringify(rule).slice(0, -1));
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(page.getByRole('alert')).toContainText('Line 1:');
  await documentField(page).fill(JSON.stringify({ _id: { $oid: id }, ...rule }).replace('"core"', '"seen"'));
  await expect(page.getByRole('textbox', { name: 'attribute_value' })).toHaveValue('seen');

  await api.post(`/rules/${TYPE}?override=1`, { ...rule, sort_field: 7 });
  await page.getByRole('button', { name: 'Save' }).click();
  const box = page.getByRole('alert');
  await expect(box).toContainText('Someone else has changed this rule');
  await expect(box).toBeFocused();
  await expect(box).toBeInViewport();
  await expect(box).toContainText(/^.*saved it .*Your changes are not saved/);
  await expect(page.getByRole('table', { name: 'Their changes' })).toContainText('sort field');
  await expect(page.getByRole('table', { name: 'Your changes' })).toContainText('seen');
  await page.getByRole('button', { name: 'Put mine on top of theirs' }).click();
  await expect(page.getByText('Nothing is saved until you press Save.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Position' })).toHaveValue('7');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'attribute_value' })).toHaveValue('seen');
  await page.getByRole('textbox', { name: 'attribute_value' }).fill('mine');
  await page.getByRole('button', { name: 'Show differences' }).click();
  const differences = page.getByRole('table', { name: 'Differences from what is stored' });
  await expect(differences.getByRole('row', { name: 'outcomes 1, attribute value' })).toContainText('mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('version 3')).toBeVisible();
  const { rules } = (await api.get(`/rules/${TYPE}`)).body;
  expect(rules.find((candidate: { _id: { $oid: string } }) => candidate._id.$oid === id)).toMatchObject({
    sort_field: 7,
    kept: { deep: [1, 2] },
    outcomes: [{ attribute_name: 'tier', attribute_value: 'mine' }],
  });
});

test('a rule is found, switched off, deleted and brought back', { tag: '@thorough' }, async ({ api, open, name }) => {
  const id = await stored(api, TYPE, variable(name(), name('.example.org')));
  const page = await open('/rules');
  await page.getByRole('table', { name: 'Rule types' }).getByRole('link', { name: 'Custom variables' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Custom variables' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find' }).fill(name('.example'));
  const row = page.getByRole('row', { name: name() });
  await expect(row).toContainText(`hostname equals "${name('.example.org')}"`);
  await expect(page).toHaveURL(new RegExp(`search=${name()}`));
  const toggle = row.getByRole('switch', { name: `${name()} is enabled` });
  const stands = async () => JSON.stringify((await api.get(`/rules/${TYPE}`)).body.rules);
  // By mouse on what is drawn, and below by keyboard.
  await toggle.locator('xpath=following-sibling::span').click();
  const question = page.getByRole('dialog', { name: `Disable ${name()}?` });
  await expect(question.getByText(/^No host of [\d,]+ would change in the inventory of automation\.$/)).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(toggle).toBeChecked();
  expect(await stands()).toContain(`"name":"${name()}","enabled":true`);
  await toggle.locator('xpath=following-sibling::span').click();
  await question.getByRole('button', { name: 'Disable' }).click();
  await expect.poll(stands).toContain(`"name":"${name()}","enabled":false`);
  await page
    .getByRole('alert')
    .filter({ hasText: `${name()} is disabled.` })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect.poll(stands).toContain(`"name":"${name()}","enabled":true`);
  await expect(toggle).toHaveAttribute('aria-busy', 'false');
  await toggle.press('Space');
  await question.getByRole('button', { name: 'Disable' }).press('Enter');
  await expect.poll(stands).toContain(`"name":"${name()}","enabled":false`);
  await row.getByRole('link', { name: name() }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await expect(page.getByText('This rule was deleted')).toBeVisible();
  await page
    .getByRole('region', { name: 'Version 4, changed' })
    .getByRole('button', { name: 'Go back to this' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText('stored now')).toBeVisible();
  expect((await api.get(`/rules/${TYPE}`)).text).toContain(id);
});

test('secrets are masked, and saving keeps them', { tag: '@thorough' }, async ({ api, open, name }) => {
  const id = await stored(api, 'cmk_passwords', { name: name(), title: 'before', password: 'wonderland' } as never);
  const sealed = () => api.get('/rules/cmk_passwords').then(({ text }) => /"password_crypted":"[^"]+"/.exec(text)?.[0]);
  const before = await sealed();
  const page = await open(`/rules/cmk_passwords/${id}`);
  await openDocument(page);
  await expect(documentField(page)).toContainText('"password_crypted": "********"');
  await page.getByRole('textbox', { name: 'title' }).fill('after');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('version 2')).toBeVisible();
  expect(await sealed()).toBe(before);
  await page.getByRole('link', { name: 'Copy' }).click();
  await expect(page.getByText('Secrets are not copied')).toBeVisible();
  await openDocument(page);
  await expect(documentField(page)).toContainText('"name"');
  await expect(documentField(page)).not.toContainText('password_crypted');
});

test('an export of another installation is checked before anything of it is stored', { tag: '@thorough' }, async ({
  open,
  name,
}) => {
  const page = await open('/rules/import');
  const id = (digit: string) => ({ $oid: digit.repeat(24) });
  const jobs = [{ name: 'rules', command: 'Checkmk: Export Rules' }];
  const lines = [
    { rule_type: 'accounts' },
    {
      _id: id('a'),
      name: name(),
      typ: 'cmkv2',
      enabled: true,
      password_crypted: 'gAAAAABq6GYolo3CUn1Foqkj14X0AI5ACr5i',
    },
    { rule_type: 'cron_groups' },
    { _id: id('b'), name: `${name()} nightly`, enabled: true, interval: 'daily', jobs },
    { rule_type: 'users' },
    { _id: id('c'), name: `${name()}-user`, email: 'u@example.org', api_roles: ['magic'], roles: ['host'] },
  ];
  await page.getByLabel('Or the text itself').fill(lines.map((line) => JSON.stringify(line)).join('\n'));
  await page.getByRole('button', { name: 'Check it as a migration' }).click();
  const part = (title: string) => page.getByRole('region', { name: title });
  await expect(part('Different here')).toContainText(`accounts “${name()}” (line 2)`);
  await expect(part('Secrets')).toContainText(`enter them again: ${name()}`);
  await expect(part(`Jobs of ${name()} nightly`)).toContainText('needs a connector for Checkmk');
  await expect(part('Users who reach more or less')).toContainText('the role magic is not known here');
});

test('a file is imported after a look at what it would do, and exported again', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const page = await open('/rules/import');
  const rules = [variable(name('a'), 'nowhere'), { ...variable(name('b'), 'nowhere'), condition_typ: 'never' }];
  const buffer = Buffer.from(JSON.stringify({ rules: { [TYPE]: rules } }));
  await page.locator('input[type=file]').setInputFiles({ name: 'rules.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  await expect(page.getByRole('region', { name: 'Invalid: not stored' })).toContainText(
    'condition_typ: must be one of',
  );
  await expect(page.getByRole('row', { name: TYPE }).getByRole('cell')).toHaveText([TYPE, '1', '0', '0', '1']);
  expect((await api.get(`/rules/${TYPE}`)).text).not.toContain(name());
  await page.getByRole('button', { name: 'Import 1 rule' }).click();
  await expect(page.getByText('1 rule is imported')).toBeVisible();
  await page.getByRole('row', { name: TYPE }).getByRole('link').click();
  await page.getByRole('link', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await (await download).createReadStream();
  expect(Buffer.concat(await file.toArray()).toString()).toContain(name('a'));
});

test('a file says which hosts it would change before it is imported', { tag: '@thorough' }, async ({ open, name }) => {
  const page = await open('/rules/import');
  const outcomes = [{ attribute_name: name().replaceAll(/\W/g, '_'), attribute_value: 'x' }];
  const rule = { name: name(), enabled: true, condition_typ: 'anyway', outcomes };
  await page.getByLabel('Or the text itself').fill(JSON.stringify({ rules: { [TYPE]: [rule] } }));
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  const impact = page.getByRole('region', { name: 'Hosts that would change' });
  await expect(impact.getByText(/^[\d,]+ of [\d,]+ hosts would change in the inventory of automation/)).toBeVisible();
  await expect(impact.getByRole('button', { name: /\bchanges: / }).first()).toBeVisible();
  await page.getByRole('switch', { name: 'Skip broken lines' }).click({ force: true });
  await expect(impact).toHaveCount(0);
});

test('a rule of another installation that cannot work is imported, named, and put right @thorough', async ({
  open,
  name,
}) => {
  const page = await open('/rules/import');
  const rule = {
    ...variable(name(), 'nowhere'),
    _id: { $oid: 'd'.repeat(24) },
    enabled: false,
    outcomes: [{ attribute_name: 'tier', attribute_value: '{{ site' }],
  };
  await page.getByLabel('Or the text itself').fill(JSON.stringify({ rules: { ansible_customvars: [rule] } }));
  await page.getByRole('button', { name: 'Check it as a migration' }).click();
  const reason = 'the template does not compile';
  await expect(page.getByRole('region', { name: 'Kept, and cannot work here' })).toContainText(reason);
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  await page.getByRole('button', { name: 'Import 1 rule' }).click();
  await expect(page.getByRole('region', { name: 'Cannot work: stored as they are' })).toContainText(reason);
  await page.getByRole('row', { name: TYPE }).getByRole('link').click();
  const note = page.getByRole('alert').filter({ hasText: 'cannot work' });
  await note.getByRole('link', { name: name() }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'Cannot work' });
  await expect(problem).toContainText(reason);
  await page.getByRole('textbox', { name: 'Value' }).first().fill('core');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('version 2')).toBeVisible();
  await expect(problem).toHaveCount(0);
});

test('a deleted rule is found again and restored', { tag: '@thorough' }, async ({ api, open, name }) => {
  const id = await stored(api, TYPE, variable(name(), 'nowhere'));
  const page = await open(`/rules/${TYPE}/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: `Delete ${name()}?` });
  await expect(question.getByText(/^No host of [\d,]+ would change in the inventory of automation\.$/)).toBeVisible();
  await question.getByRole('button', { name: 'Delete rule' }).click();
  await expect(page.getByText('This rule was deleted')).toBeVisible();
  await page
    .getByRole('alert')
    .filter({ hasText: `${name()} is deleted.` })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete rule' }).click();
  await expect(page.getByText('This rule was deleted')).toBeVisible();
  await page.goto('/admin/rules/deleted');
  await page.getByRole('button', { name: `Restore ${name()}` }).click();
  await page.goto(`/admin/rules/${TYPE}/${id}`);
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
});

test('leaving a rule that is not saved asks first', { tag: '@thorough' }, async ({ api, open, name }) => {
  const id = await stored(api, TYPE, variable(name(), 'nowhere'));
  const page = await open(`/rules/${TYPE}/${id}`);
  await page.getByRole('textbox', { name: 'Documentation' }).fill('changed');
  await page.getByRole('link', { name: 'Hosts' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByRole('textbox', { name: 'Documentation' })).toHaveValue('changed');
  await page.getByRole('link', { name: 'Hosts' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible();
});

test('who may only read can try rules and change none', { tag: '@thorough' }, async ({ api, open, name }) => {
  const id = await stored(api, TYPE, variable(name(), 'nowhere'));
  const page = await open(`/rules/${TYPE}/${id}`, 'reader');
  await page.getByRole('button', { name: 'Compare all hosts' }).click();
  await expect(page.getByText(/^No host of [\d,]+ would change/)).toBeVisible();
  await expect(page.getByText(/^The rule matches none of [\d,]+ hosts/)).toBeVisible();
  await expect(page.getByRole('button', { name: /Save|Delete|Add/ })).toHaveCount(0);
  await page.goto('/admin/rules/import');
  await expect(page.getByText('You may only read')).toBeVisible();
});

test('autorules say what they would make before they run, or that there are none', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const page = await open('/rules');
  const dialog = page.getByRole('dialog', { name: 'Run autorules' });
  await page.getByRole('button', { name: 'Preview and run autorules' }).click();
  await expect(dialog.getByText(/^There are no autorules yet/)).toBeVisible();
  await dialog.getByRole('link', { name: 'Create the first one' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New rule: Autorules' })).toBeVisible();
  const rule = variable(name('r'), '', { conditions: [], outcomes: [], documentation: '{{ kept }}' });
  await stored(api, 'custom_attributes', rule);
  await page.getByRole('combobox', { name: 'Type of the rules' }).fill('Custom attr');
  await page.getByRole('option', { name: /^custom_attributes/ }).click();
  await page.getByRole('combobox', { name: 'Start from the rule' }).selectOption(name('r'));
  const editor = page.getByRole('textbox', { name: 'Body of the rules' });
  await page.getByRole('button', { name: 'Body as a template (JSON)' }).click();
  await expect(editor).toContainText('"name": "{{ HOSTNAME }}"');
  await expect(editor).toContainText('"documentation": "\\u007b{ kept }}"');
  await expect(editor).not.toContainText('_id');
  await expect(page.getByText('\\u007b{ site }}', { exact: true })).toBeVisible();
  const body = `{"name": "${name()} {{ site }}", "condition_typ": "anyway", "outcomes": []}`;
  const autorule = { name: name(), enabled: true, rule_type: 'custom_attributes', rule_body: body };
  expect((await api.post('/rules/syncer_rule_automation', autorule)).body).toMatchObject({ imported: 1 });
  await page.goto('/admin/rules');
  await page.getByRole('button', { name: 'Preview and run autorules' }).click();
  await expect(dialog.getByText(/A run would make .* for [\d,]+ hosts/)).toBeVisible();
  await expect(dialog.getByText(/all disabled, at position 0\. A disabled rule has no effect/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Make [\d,]+ rules$/ }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Autorules made' })).toBeVisible();
  await page.getByRole('button', { name: 'Preview and run autorules' }).click();
  await expect(dialog.getByText('A run would make no new rule')).toBeVisible();
  await dialog.getByRole('button', { name: /^Delete [\d,]+ rules$/ }).click();
  await expect(page.getByRole('alert').filter({ hasText: /^Deleted [\d,]+ rules/ })).toBeVisible();
  await expect(dialog.getByText(/A run would make .* for [\d,]+ hosts/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
});

test('the page of a rule says how many hosts its conditions match while they are written', {
  tag: '@thorough',
}, async ({ open }) => {
  const page = await open('/rules/custom_attributes/5a3b1e000000000000000002', 'reader');
  await expect(page.getByText(/Matches \d+ of [\d,]+ hosts/)).toBeVisible();
  const editor = await open('/rules/custom_attributes/5a3b1e000000000000000002');
  const value = editor
    .getByRole('group', { name: 'Conditions' })
    .getByRole('combobox', { name: 'Value compared with' });
  await value.fill('a site of nobody');
  await expect(editor.getByText(/^Matches none of [\d,]+ hosts/)).toBeVisible();
  await value.fill('codfw');
  await expect(editor.getByText(/^Matches 40\d of [\d,]+ hosts/)).toBeVisible();
});

test('what is offered for an outcome leaves what stands above it', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/rules/custom_attributes/5a3b1e000000000000000002');
  const field = page.getByRole('group', { name: 'outcome 1' }).getByRole('combobox', { name: 'attribute_name' });
  // At the lower edge of a low window.
  await page.setViewportSize({ width: 1280, height: 600 });
  await field.evaluate('(field) => field.scrollIntoView({ block: "end" })');
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('c');
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option').first()).toBeVisible();
  const offered = await list.boundingBox();
  const typed = await field.boundingBox();
  expect(offered?.y).toBeGreaterThan(typed?.y ?? Number.POSITIVE_INFINITY);
  await expect(list.getByRole('option').first()).toBeInViewport();
});

test('a saved rule tells how many hosts are served differently, and leads to them', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'nowhere' });
  const rule = await stored(api, TYPE, variable(name(), host));
  const page = await open(`/rules/${TYPE}/${rule}`);
  await page
    .getByRole('group', { name: 'outcome 1' })
    .getByRole('textbox', { name: 'attribute_value' })
    .fill('another');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const said = page.getByRole('alert').filter({ hasText: 'The rule is saved.' });
  await expect(said).toContainText('1 host is served differently.', { timeout: 20_000 });
  await said.getByRole('link', { name: 'See what changes in the inventory' }).click();
  await expect(page.getByRole('article', { name: `${host}: changed` })).toBeVisible({ timeout: 20_000 });
});

test('a deleted rule is not asked for again, and comes back from its page', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const rule = await stored(api, TYPE, variable(name(), name('.example.org')));
  const page = await open(`/rules/${TYPE}/${rule}`);
  const missing: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url());
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
  await expect(page.getByText('This rule was deleted')).toBeVisible();
  await page.waitForTimeout(1000);
  expect(missing).toEqual([]);
  await page
    .getByRole('button', { name: /^(Go back to this|Restore)/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible();
  expect(missing).toEqual([]);
});

test('rules are moved by keyboard, and several are disabled at once and enabled again', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  for (const [index, letter] of ['a', 'b', 'c'].entries()) {
    await stored(api, TYPE, variable(name(letter), name('.example.org'), { sort_field: 5000 + index * 10 }));
  }
  const page = await open(`/rules/${TYPE}?search=${name()}`);
  const rows = page.getByRole('table', { name: 'Custom variables' }).locator('tbody tr');
  const order = async (...letters: string[]) => {
    for (const [index, letter] of letters.entries()) await expect(rows.nth(index)).toContainText(name(letter));
  };
  await order('a', 'b', 'c');
  await page.getByRole('button', { name: `Move ${name('c')}` }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(`Picked up ${name('c')}.`)).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(`At the place of ${name('b')}: ${name('c')}.`)).toBeAttached();
  await page.keyboard.press('Space');
  const moved = page.getByRole('alert').filter({ hasText: `${name('c')} runs before ${name('b')}.` });
  await expect(moved).toContainText('No host is served differently.', { timeout: 20_000 });
  await expect(moved.getByRole('link')).toHaveCount(0);
  await order('a', 'c', 'b');
  await expect(page.getByRole('button', { name: `Move ${name('c')}` })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await order('a', 'b', 'c');

  await page.getByRole('checkbox', { name: `Select ${name('a')}` }).check();
  await page.getByRole('checkbox', { name: `Select ${name('c')}` }).click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Disable…' }).click();
  const question = page.getByRole('dialog', { name: 'Disable 3 rules?' });
  await expect(question.getByText(/^No host of [\d,]+ would change in the inventory of automation\.$/)).toBeVisible();
  await question.getByRole('button', { name: 'Disable 3 rules' }).click();
  await expect(page.getByText('Disabled 3 rules')).toBeVisible();
  await expect(page.getByRole('switch', { name: `${name('b')} is enabled` })).not.toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('switch', { name: `${name('b')} is enabled` })).toBeChecked();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete 3 rules' }).click();
  await expect(page.getByText('No rule has this text.')).toBeVisible();
  const deleted = page.getByRole('alert').filter({ hasText: 'Deleted 3 rules' });
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await order('a', 'b', 'c');
});

test('ticked rules are moved together, by pointer and keyboard, and get their very positions back', {
  tag: '@thorough',
}, async ({ api, open, name }) => {
  const positions = { a: 6000, b: 6000, c: 6010, d: 6010, e: 6012 };
  for (const [letter, sort_field] of Object.entries(positions))
    await stored(api, TYPE, variable(name(letter), name('.example.org'), { sort_field }));
  const page = await open(`/rules/${TYPE}?search=${name()}`);
  const rows = page.getByRole('table', { name: 'Custom variables' }).locator('tbody tr');
  const order = async (...letters: string[]) => {
    for (const [index, letter] of letters.entries()) await expect(rows.nth(index)).toContainText(name(letter));
  };
  const numbers = async () => {
    await order(...Object.keys(positions));
    for (const [index, position] of Object.values(positions).entries())
      await expect(rows.nth(index)).toContainText(String(position));
  };
  await numbers();
  for (const letter of ['b', 'd']) await page.getByRole('checkbox', { name: `Select ${name(letter)}` }).check();
  const handle = page.getByRole('button', { name: `Move ${name('d')}` });
  await handle.hover();
  await page.mouse.down();
  const over = await rows.nth(4).boundingBox();
  await page.mouse.move((over?.x ?? 0) + 20, (over?.y ?? 0) + (over?.height ?? 0) / 2, { steps: 8 });
  await expect(
    page.getByText('Picked up 2 rules.').or(page.getByText(/^At the place of .*: 2 rules\.$/)),
  ).toBeAttached();
  await expect(page.locator('tr.rule-dragged')).toHaveCount(2);
  await page.mouse.up();
  await order('a', 'c', 'e', 'b', 'd');
  const moved = page.getByRole('alert').filter({ hasText: `2 rules run after ${name('e')}.` });
  await moved.getByRole('button', { name: 'Undo' }).click();
  await numbers();

  await handle.focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Picked up 2 rules.')).toBeAttached();
  for (const letter of ['c', 'b', 'a']) {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText(`At the place of ${name(letter)}: 2 rules.`)).toBeAttached();
  }
  await page.keyboard.press('Space');
  await order('b', 'd', 'a', 'c', 'e');
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await numbers();

  // A message of what was done does not follow to another page.
  await page.getByRole('switch', { name: `${name('a')} is enabled` }).press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  const told = page.getByRole('alert').filter({ hasText: `${name('a')} is disabled.` });
  await expect(told).toBeVisible();
  await page.waitForTimeout(1600);
  await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible();
  await expect(told).toHaveCount(0);
});

test('names of attributes are offered with their counts, and rules are found by what they use', {
  tag: '@thorough',
}, async ({ api, open, name }) => {
  const id = await stored(api, TYPE, variable(name(), name('.example.org')));
  const page = await open(`/rules/${TYPE}/${id}`);
  const attribute = page.getByRole('combobox', { name: 'Variable' });
  await attribute.fill('short_na');
  await expect(page.getByRole('option', { name: /^short_name/ })).toContainText(/9\d\d$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(attribute).toHaveValue('short_name');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('version 2')).toBeVisible();
  await page.goto('/admin/rules/uses');
  await expect(page.getByRole('searchbox', { name: 'Attribute' })).toBeFocused();
  await page.keyboard.type('short_name');
  await expect(page).toHaveURL(/attribute=short_name/);
  const uses = page.getByRole('table', { name: 'Uses of short_name' });
  await expect(uses.getByRole('row', { name: name() })).toContainText('sets it');
  await expect(uses.getByRole('row', { name: 'Short name and domain' })).toContainText('sets it');
});

test('the uses of an attribute fit a phone, and name the types of rules in its language', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/rules/uses?attribute=maintenance_window', 'root', 'de-DE');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('Benutzerdefinierte Attribute').first()).toBeVisible();
  const place = page.getByText(/^setzt es/).first();
  const box = await place.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 391)).toBeLessThanOrEqual(390);
  // No host has it as a label; rules give it to many.
  await expect(page.getByRole('link', { name: 'Hosts mit diesem Label' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Hosts, denen Regeln es geben' }).click();
  await expect(page.getByRole('table', { name: 'Hosts' }).getByRole('row').nth(1)).toBeVisible();
});

test('a template is written with offered names, beside what it gives on a host', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'berlin', rack: 'R12' });
  const id = await stored(api, TYPE, variable(name(), host));
  const page = await open(`/rules/${TYPE}/${id}`);
  await page.getByRole('button', { name: 'Template editor for outcomes 1, attribute value' }).click();
  const dialog = page.getByRole('dialog', { name: 'Template: outcomes 1, attribute value' });
  await dialog.getByRole('combobox', { name: 'Result on host' }).fill(host);
  await page.keyboard.press('Escape');
  const editor = dialog.getByRole('textbox', { name: 'Template of outcomes 1, attribute value' });
  // What is offered is chosen by Enter once it has been there for a moment.
  const choose = async () => {
    await page.waitForTimeout(200);
    await page.keyboard.press('Enter');
  };
  const type = async (text: string) => {
    await editor.press('ControlOrMeta+a');
    await editor.press('Delete');
    await editor.pressSequentially(text);
  };
  await type('{{ rac');
  await expect(dialog.getByRole('option', { name: /^rack(?!\.)/ })).toBeVisible();
  await choose();
  await editor.pressSequentially(' | lo');
  await expect(dialog.getByRole('option', { name: /^lower/ })).toBeVisible();
  await choose();
  await expect(dialog.getByText(/sets variable tier to/)).toContainText('r12');
  await type('{{ nothing');
  await expect(dialog.getByText("'nothing' is undefined")).toBeVisible();
  await type('{{ site | upper }}');
  await expect(dialog.getByText(/sets variable tier to/)).toContainText('BERLIN');
  await page.keyboard.press('Escape');
  // Tab leaves the editor, and what was typed stands in the form.
  await editor.press('Tab');
  await expect(editor).not.toBeFocused();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('textbox', { name: 'attribute_value' })).toHaveValue('{{ site | upper }}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await api.get(`/inventory/automation/automation?host=${host}`)).body.tier)
    .toBe('BERLIN');
});

test('any two versions of a rule are compared', { tag: '@thorough' }, async ({ api, open, name }) => {
  const rule = variable(name(), name('.example.org'));
  const id = await stored(api, TYPE, rule);
  for (const value of ['edge', 'rim']) {
    const outcomes = [{ attribute_name: 'tier', attribute_value: value }];
    expect((await api.post(`/rules/${TYPE}?override=true`, { ...rule, outcomes })).status).toBe(201);
  }
  const page = await open(`/rules/${TYPE}/${id}`);
  await page.getByRole('tab', { name: 'History' }).click();
  const compare = page.getByRole('region', { name: 'Compare two versions' });
  await compare.getByLabel('Compare').selectOption('Version 1');
  const differences = compare.getByRole('table', { name: 'Differences of versions 1 and 3' });
  await expect(differences).toContainText('core');
  await expect(differences).toContainText('rim');
  await expect(differences).not.toContainText('edge');
});

test('a rule says which hosts it fails on, and what saving it disabled would change', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const failing = { outcomes: [{ attribute_name: name('_x'), attribute_value: '{{ 1 // 0 }}' }] };
  const eqiad = {
    conditions: [{ match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'magru', value_match: 'equal' }],
  };
  const id = await stored(api, TYPE, { ...variable(name(), ''), ...eqiad, ...failing });
  const page = await open(`/rules/${TYPE}/${id}`);
  const alert = page.getByRole('alert').filter({ hasText: /It fails on 20 of [\d,]+ hosts/ });
  await expect(alert.getByRole('listitem')).toHaveCount(5);
  await expect(alert.getByRole('listitem').first()).toContainText('division by zero');
  await alert.getByRole('button', { name: 'Show all 20' }).click();
  await expect(alert.getByRole('listitem')).toHaveCount(20);
  await page.getByRole('switch', { name: 'Enabled' }).press('Space');
  const note = page.getByRole('alert').filter({ hasText: 'Saving disables this rule' });
  await expect(note).toContainText(
    /^Saving disables this rule20 of [\d,]+ hosts would change in the inventory of automation\.$/,
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/It would fail on 20 of [\d,]+ hosts/)).toBeVisible();
});

test('the page of an empty project begins a rule for it', { tag: '@thorough' }, async ({ api, open, name }) => {
  const project = name();
  await api.post('/rules/automation_projects', { name: project, enabled: true });
  const page = await open(`/rules/projects/${project}`);
  await expect(page.getByText('No rule belongs to this project yet.')).toBeVisible();
  await page.getByRole('button', { name: 'New rule for this project' }).click();
  await expect(page.getByRole('menuitem', { name: 'Custom variables' })).toBeVisible();
  // What sets attributes belongs to no project.
  await expect(page.getByRole('menuitem', { name: 'Custom attributes' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Custom variables' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New rule: Custom variables' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue(project);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name('a'));
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByRole('heading', { level: 1, name: name('a') })).toBeVisible();
  await page.getByRole('link', { name: `All rules of project ${project}` }).click();
  await expect(page.getByRole('table', { name: `Rules of ${project}` })).toContainText(name('a'));
});

test('a project shows its rules of all types, and switches them together', { tag: '@thorough' }, async ({
  api,
  open,
  name,
}) => {
  const project = name();
  await api.post('/rules/automation_projects', { name: project, enabled: true });
  await stored(
    api,
    TYPE,
    variable(name('b'), '', { project, sort_field: 20, condition_typ: 'anyway', conditions: [] }),
  );
  await stored(
    api,
    TYPE,
    variable(name('a'), '', { project, sort_field: 10, condition_typ: 'anyway', conditions: [] }),
  );
  const outcomes = [{ action: 'whitelist_attribute', attribute_name: 'site' }];
  await stored(
    api,
    'automation_filter',
    variable(name('f'), '', { project, condition_typ: 'anyway', conditions: [], outcomes }),
  );
  const page = await open(`/rules/${TYPE}?search=${name('a')}`);
  await page.getByRole('link', { name: project, exact: true }).click();
  const rows = page.getByRole('table', { name: `Rules of ${project}` }).locator('tbody tr');
  for (const [index, letter] of ['f', 'a', 'b'].entries()) await expect(rows.nth(index)).toContainText(name(letter));
  await expect(page.getByText(/^3 rules; matches counted over all [\d,]+ hosts$/)).toBeVisible();
  await expect(rows.first().getByRole('cell').last()).toHaveText(/^9\d\d$/);
  await expect(page.getByRole('group', { name: 'Used by' })).toContainText(`Inventory ${project}`);
  await page.getByRole('button', { name: 'Disable all…' }).click();
  const question = page.getByRole('dialog', { name: 'Disable 3 rules?' });
  await expect(question.getByText(/^[\d,]+ of [\d,]+ hosts would change in the inventory of /)).toBeVisible();
  await question.getByRole('button', { name: 'Disable 3 rules' }).click();
  await expect(page.getByText('Disabled 3 rules')).toBeVisible();
  await expect(page.getByRole('switch', { checked: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('switch', { checked: true })).toHaveCount(3);
  // Its project is given by name: the page of the rule counts in the right inventory.
  await page.getByRole('link', { name: name('a') }).click();
  await expect(page.getByText(/^Matches [1-9][\d,]* of [\d,]+ hosts$/)).toBeVisible();
  await expect(page.getByRole('link', { name: `All rules of project ${project}` })).toBeVisible();
});

test('hosts are counted for a new rule before it has a name, and nothing is refused', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/rules/custom_attributes');
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  await page.getByRole('link', { name: 'New rule' }).click();
  await expect(page.getByText(/^Matches [\d,]+ of [\d,]+ hosts/)).toBeVisible();
  expect(refused).toEqual([]);
});

test('all rules are one list in their order, which finds those that match nothing or fail', async ({
  api,
  open,
  name,
}) => {
  const nowhere = { match_type: 'tag', tag: name('x'), tag_match: 'equal', value: 'a', value_match: 'equal' };
  await stored(api, 'custom_attributes', variable(name('nothing'), '', { conditions: [nowhere] }));
  const outcomes = [{ attribute_name: 'unit', attribute_value: '{{ rack.unit }}' }];
  await stored(api, TYPE, variable(name('fails'), '', { condition_typ: 'anyway', conditions: [], outcomes }));
  const page = await open('/rules');
  const list = page.getByRole('table', { name: 'Rules in their order' });
  await expect(page.getByText(/^Counted on all [\d,]+ hosts$/)).toBeVisible({ timeout: 20_000 });
  const stages = await list.getByRole('rowheader').allTextContents();
  expect(stages.slice(0, 4)).toEqual([
    'Attributes for every consumer',
    'Rewriting of attributes',
    'Filters',
    'Variables and groups',
  ]);
  await page.getByRole('checkbox', { name: /^Match nothing/ }).press('Space');
  const nothing = list.getByRole('row', { name: name('nothing') });
  await expect(nothing).toContainText('no host');
  await expect(nothing).toContainText(`the attribute ${name('x')} is on no host`);
  await expect(list.getByRole('row', { name: name('fails') })).toHaveCount(0);
  await page.getByRole('checkbox', { name: /^Match nothing/ }).press('Space');
  await page.getByRole('checkbox', { name: /^Fail/ }).press('Space');
  await expect(list.getByRole('row', { name: name('fails') })).toContainText("'rack' is undefined");
  await expect(nothing).toHaveCount(0);
  await page.getByRole('link', { name: /^Kept for other systems/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Kept for other systems' })).toBeVisible();
});

test('a search and selected hosts become the conditions of a rule', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/hosts?where=site:codfw%20cpus>8');
  await page.getByRole('button', { name: 'Make a rule' }).click();
  await page.getByRole('menuitem', { name: /^Custom variables/ }).click();
  const note = page.getByRole('alert').filter({ hasText: 'Not all of the search could be taken over' });
  await expect(note).toContainText('cpus>8 – conditions do not compare by size');
  const condition = page.getByRole('group', { name: 'condition 1' });
  await expect(condition.getByRole('combobox', { name: 'Name of the attribute' })).toHaveValue('site');
  await expect(condition.getByRole('combobox', { name: 'Value compared with' })).toHaveValue('codfw');
  await expect(page.getByText(/^Matches [1-9][\d,]* of [\d,]+ hosts$/)).toBeVisible();

  await page.goto('/admin/hosts?where=site:codfw');
  const boxes = page.getByRole('table', { name: 'Hosts' }).getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'Make a rule…' }).click();
  await page.getByRole('menuitem', { name: /^Custom attributes/ }).click();
  await expect(page.getByText('The conditions below are those of the search.')).toBeVisible();
  await expect(page.getByText(/^Matches 2 of [\d,]+ hosts$/)).toBeVisible();
});

test('a rule that fails says so before it is saved, and its message is no success', async ({ api, open, name }) => {
  const host = name('.example.org');
  await api.save(host, 'api', { site: 'nowhere' });
  const page = await open(`/rules/${TYPE}/${await stored(api, TYPE, variable(name(), host))}`);
  await page.getByRole('textbox', { name: 'attribute_value' }).fill('{{ rack.unit }}');
  await expect(page.getByText('It fails on 1 host', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add outcome' }).click();
  await expect(page.getByText('1 outcome is not complete yet.')).toBeVisible();
  await expect(page.getByText(/^Matches 1 of [\d,]+ hosts$/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove outcome 2' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const said = page.getByRole('alert').filter({ hasText: 'The rule is saved.' });
  await expect(said).toContainText('It fails on 1 host, and changes nothing there.', { timeout: 20_000 });
  await expect(said).toHaveAttribute('style', /red/);
});
