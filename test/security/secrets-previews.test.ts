import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuleDocument } from '../../src/ports/index.ts';
import { AdminClient } from '../adapters/admin/admin-client.ts';
import { type MusterHarness, musterHarness } from '../adapters/cli/run-muster.ts';

/** Of different length, beginning and order: whatever an answer depends on, one of them shows it. */
const SECRETS = ['Tr0ub4dor&3-first', 'zz-correct-horse-battery-staple-9'] as const;
const MACRO = '{{ACCOUNT:vault:password}}';
/** The macro inside of an expression that goes on working with it. */
const VALUE = '{% set s %}{{ACCOUNT:vault:password}}{% endset %}';

/** What a template can do with a secret so that nobody finds its text in the answer. */
const DISGUISES: Readonly<Record<string, string>> = {
  plain: MACRO,
  reversed: `${VALUE}{{ s | reverse }}`,
  sliced: `${VALUE}{{ s[0] }}-{{ s[1:3] }}`,
  spelled: `${VALUE}{{ s | list }}`,
  joined: `${VALUE}{{ s | join('.') }}`,
  measured: `${VALUE}{{ s | length }}`,
  upper: `${VALUE}{{ s | upper }}{{ s | title }}`,
  compared: `${VALUE}{{ s < 'm' }} {{ s == 'Tr0ub4dor&3-first' }} {{ 'zz' in s }}`,
  branched: `${VALUE}{% if s.startswith('T') %}first{% else %}other{% endif %}`,
  repeated: `${VALUE}{% for c in s %}{{ loop.index }}{% endfor %}`,
  sealedField: '{{ACCOUNT:vault:api_token}}',
  failing: `${VALUE}{{ get_ip_network(s | reverse) }}`,
};

function variable(template: string, attribute_name = 'loot'): RuleDocument {
  return {
    name: 'spy',
    enabled: true,
    condition_typ: 'anyway',
    outcomes: [{ attribute_name, attribute_value: template }],
  };
}

/** Hits when a guess about the secret is right. */
function guess(value_match: string, value: string): RuleDocument {
  const condition = { match_type: 'tag', tag: 'guess', tag_match: 'equal', value_match, value };
  return { ...variable('right'), condition_typ: 'all', conditions: [condition] };
}

const GUESSES: Readonly<Record<string, RuleDocument>> = {
  'by its beginning': guess('swith', `${VALUE}{{ s[:1] }}`),
  'by a pattern made of it': guess('regex', MACRO),
  'as a whole': guess('equal', MACRO),
  'as a part': guess('in', `${VALUE}{{ s[:2] }}`),
};

async function serviceWith(secret: string): Promise<AdminClient> {
  const client = await AdminClient.start();
  const { service } = client;
  const account = {
    name: 'vault',
    type: 'api',
    enabled: true,
    username: 'svc',
    password: secret,
    custom_fields: [{ name: 'api_token', value: secret }],
  };
  await service.request({ method: 'POST', url: '/api/v1/rules/accounts', payload: account });
  const labels = { site: 'berlin', guess: SECRETS[0] };
  await service.request({ method: 'POST', url: '/api/v1/objects/web1', payload: { account: 'crm', labels } });
  await service.addUser('author', { api_roles: ['rules', 'objects'] });
  await service.addUser('reader', { api_roles: ['rules', 'objects'], readonly: true });
  return client;
}

describe('no preview depends on a secret of an account', () => {
  let clients: readonly AdminClient[];
  let cookies: readonly Readonly<Record<'author' | 'reader', string>>[];
  beforeAll(async () => {
    clients = await Promise.all(SECRETS.map(serviceWith));
    cookies = await Promise.all(
      clients.map(async (client) => ({
        author: await client.cookieOf('author'),
        reader: await client.cookieOf('reader'),
      })),
    );
  });
  afterAll(() => Promise.all(clients.map(({ service }) => service.stop())));

  /** What each of the services answers, without what no two of them have in common. */
  async function answers(operation: string, input: object, user: 'author' | 'reader'): Promise<readonly string[]> {
    return Promise.all(
      clients.map(async (client, index) => {
        const answer = await client.call(operation, cookies[index]?.[user], input);
        expect(answer.statusCode, answer.body).toBe(200);
        return answer.body.replaceAll(/[0-9a-f]{24}/g, 'id');
      }),
    );
  }

  async function expectAlike(operation: string, input: object): Promise<void> {
    for (const user of ['author', 'reader'] as const) {
      const [first, second] = await answers(operation, input, user);
      expect(first).toBe(second);
      for (const secret of SECRETS.slice(1)) expect(first).not.toContain(secret);
    }
  }

  it.each(Object.entries(DISGUISES))('%s: trying a rule, and its impact', async (_name, template) => {
    for (const rule_type of ['custom_attributes', 'automation_customvars']) {
      const document = variable(template);
      await expectAlike('rules/try-rule', { rule_type, document, hostname: 'web1' });
      await expectAlike('rules/rules-impact', { rules: { [rule_type]: [document] } });
    }
  });

  it.each(Object.entries(GUESSES))('a guess %s: trying a rule, and its impact', async (_name, document) => {
    await expectAlike('rules/try-rule', { rule_type: 'custom_attributes', document, hostname: 'web1' });
    await expectAlike('rules/rules-impact', { rules: { custom_attributes: [document] } });
  });

  it.each(Object.entries(DISGUISES))('%s: trying a list, as variables and as playbooks', async (_name, template) => {
    const list = { rule_source: 'list', list_source: 'hostname;note\nweb1;x\nrow1;y\n' };
    await expectAlike('rules/try-list', {
      rule_type: 'automation_customvars',
      document: { ...variable(template), ...list },
    });
    const outcomes = [{ playbook: 'a.yml', extra_vars: { loot: template } }];
    await expectAlike('rules/try-list', {
      rule_type: 'automation_playbook_fire',
      document: { name: 'spy', enabled: true, ...list, outcomes },
    });
  });

  it('stored rules: explanations, failures and further trials', async () => {
    const named = Object.entries({ ...DISGUISES }).map(([name, template]) => ({ ...variable(template, name), name }));
    const guesses = Object.entries(GUESSES).map(([name, document]) => ({ ...document, name }));
    const rules = { rules: { custom_attributes: [...named, ...guesses] } };
    for (const { service } of clients) {
      await service.request({ method: 'POST', url: '/api/v1/rules/import', payload: rules });
    }
    await expectAlike('hosts/explain-host', { hostname: 'web1' });
    await expectAlike('rules/rule-failures', {});
    await expectAlike('rules/count-hits', {});
    for (const { name } of [...named, ...guesses]) {
      await expectAlike('rules/failing-hosts', { rule_type: 'custom_attributes', rule: name });
    }
    const copy = variable('{{ plain | reverse }}');
    await expectAlike('rules/try-rule', { rule_type: 'automation_customvars', document: copy, hostname: 'web1' });

    // The inventory has them, as rules say: the honest use.
    for (const [index, { service }] of clients.entries()) {
      const answer = await service.request({ url: '/api/v1/inventory/automation/automation?host=web1' });
      expect(answer.body).toContain([...(SECRETS[index] ?? '')].reverse().join(''));
    }
    // And nobody reads in a failure what a template made of one.
    for (const { service } of clients) {
      await service.request({ url: '/api/v1/inventory/automation/automation' });
      const failures = JSON.stringify(await service.services.evaluators.failures());
      expect(failures).toContain('"failing"');
      for (const secret of SECRETS) expect(failures).not.toContain([...secret].reverse().join(''));
    }
  });

  it('says that it compares with a placeholder, and shows what is no secret', async () => {
    const [client] = clients as readonly [AdminClient];
    const document = variable('{{ACCOUNT:vault:username}} {{ACCOUNT:vault:password}}');
    const input = { rule_type: 'automation_customvars', document, hostname: 'web1' };
    const answer = await client.call('rules/try-rule', cookies[0]?.author, input);
    expect(answer.json()).toMatchObject({
      rule: { outcome: 'hit', readsAccounts: true },
      changes: [{ path: 'loot', after: 'svc ********' }],
    });
  });
});

describe('rules that are made by rules', () => {
  it('hold the macro, and never the secret', async () => {
    const client = await serviceWith(SECRETS[0]);
    try {
      const { service } = client;
      const outcome = { attribute_name: 'loot', attribute_value: '{{ACCOUNT:vault:password}}' };
      const attribute = { ...variable(MACRO), name: 'attribute' };
      const body = (value: string) =>
        JSON.stringify({ condition_typ: 'anyway', enabled: true, outcomes: [{ ...outcome, attribute_value: value }] });
      const autorule = (name: string, value: string) => ({
        name,
        enabled: true,
        rule_type: 'automation_customvars',
        rule_body: body(value).replace('{', `{"name": "${name} {{HOSTNAME}}", `),
      });
      const payload = {
        rules: {
          custom_attributes: [attribute],
          syncer_rule_automation: [
            autorule('direct', MACRO),
            autorule('attribute', '{{ loot }}'),
            autorule('reversed', "{{ loot | reverse | replace('x', 'y') }}"),
          ],
        },
      };
      await service.request({ method: 'POST', url: '/api/v1/rules/import', payload });
      await service.request({ method: 'POST', url: '/api/v1/rules/autorules' });
      const made = (await service.request({ url: '/api/v1/rules/automation_customvars' })).json();
      // What a template made of the macro is no macro any more, and no rule.
      expect(made.rules).toHaveLength(2);
      const text = JSON.stringify(made);
      expect(text).not.toContain(SECRETS[0]);
      expect(text).not.toContain([...SECRETS[0]].reverse().join(''));
      expect(text.split('{{ACCOUNT:vault:password}}')).toHaveLength(3);
    } finally {
      await client.service.stop();
    }
  });
});

describe('the command line', () => {
  let muster: MusterHarness;
  beforeAll(async () => {
    muster = await musterHarness();
  });
  afterAll(() => muster.close());

  it('explains and tests without secrets, and serves the inventory with them', async () => {
    await muster.run(['account', 'add', 'vault', '--type', 'api', '--password-stdin'], { stdin: SECRETS[0] });
    await muster.run(['host', 'set', 'web1', '--account', 'vault', '--label', 'a=1']);
    const reversed = [...SECRETS[0]].reverse().join('');
    const rules = JSON.stringify({ rules: { automation_customvars: [variable(DISGUISES.reversed ?? '')] } });
    await muster.run(['rules', 'import', '-'], { stdin: rules });
    for (const args of [
      ['host', 'explain', 'web1'],
      ['host', 'explain', 'web1', '--json'],
      ['rules', 'test', 'web1'],
      ['rules', 'list', 'automation_customvars', '--json'],
      ['doctor'],
    ]) {
      const { stdout, stderr } = await muster.run(args);
      expect(stdout + stderr, args.join(' ')).not.toContain(reversed);
      expect(stdout + stderr, args.join(' ')).not.toContain(SECRETS[0]);
    }
    expect((await muster.run(['inventory', '--host=web1'])).stdout).toContain(reversed);
  });
});
