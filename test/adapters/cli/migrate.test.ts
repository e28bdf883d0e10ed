import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchInventory } from '../../../src/adapters/cli/commands/migrate/fetch-inventory.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

const EXPORT = [
  { rule_type: 'accounts' },
  {
    _id: { $oid: '1'.repeat(24) },
    name: 'legacy',
    typ: 'csv',
    enabled: true,
    password_crypted: 'gAAAAABq6GYolo3CUn1Foqkj14X0AI5ACr5i',
    custom_fields: [
      { name: 'path', value: 'hosts.csv' },
      { name: 'hostname_field', value: 'host' },
    ],
  },
  { rule_type: 'ansible_filter' },
  {
    _id: { $oid: '2'.repeat(24) },
    name: 'Visible',
    enabled: true,
    condition_typ: 'anyway',
    conditions: [],
    outcomes: [{ action: 'whitelist_attribute', attribute_name: 'site' }],
    sort_field: 1,
  },
  { rule_type: 'cron_groups' },
  {
    _id: { $oid: '3'.repeat(24) },
    name: 'nightly',
    enabled: true,
    interval: 'daily',
    jobs: [
      { name: 'import', command: 'CSV: Import Hosts', account: { $oid: '1'.repeat(24) } },
      { name: 'rules', command: 'Checkmk: Export Rules' },
    ],
  },
  { rule_type: 'vmware_custom_attributes' },
  { _id: { $oid: '4'.repeat(24) }, name: 'later', enabled: true },
  { rule_type: 'users' },
  { _id: { $oid: '5'.repeat(24) }, name: 'olga', email: 'olga@example.org', api_roles: ['objects'] },
];
const OLD = {
  _meta: { hostvars: { web01: { site: 'berlin' }, web02: { site: 'Oslo' } } },
  all: { hosts: ['web01', 'web02'] },
};

let muster: MusterHarness;
beforeEach(async () => {
  muster = await musterHarness();
  await save('export.jsonl', EXPORT.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await save('old.json', JSON.stringify(OLD));
  await save('hosts.csv', 'host,site\nweb01,berlin\nweb02,oslo\n');
});
afterEach(() => muster.close());

const save = (name: string, text: string) => writeFile(join(muster.directory, name), text);

describe('muster migrate check', () => {
  it('reports in sections and stores nothing', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['migrate', 'check', 'export.jsonl']);
    expect(stdout).toMatchInlineSnapshot(`
      "TYPE                      WORK  KEPT  THERE ALREADY  REFUSED  KEPT DOCUMENTS
      accounts                     1     0              0        0
      automation_filter            1     0              0        0
      cron_groups                  1     0              0        0
      vmware_custom_attributes     0     1              0        0  wait for exports to VMware
      users                        1     0              0        0

      Different here
        ! A filter line with a whole name hid values that are 0, false or empty text; here it shows them.
            Visible (line 4)
            → Nothing, or hide them by a condition. "muster migrate compare" lists the variables.

      Secrets
        ! accounts: 1 encrypted with the key of the other installation, so enter them again: muster account set <name> --ask-password
            legacy
        ! users: 1 not in the export, so set new ones: muster user passwd <name>
            olga

      Jobs
        nightly
          ✓ CSV: Import Hosts with legacy: Imports the hosts of an account from its source.
          ✗ Checkmk: Export Rules needs a connector for Checkmk (accounts of type cmkv2), which this version does not have; a plugin can provide one, and until then the group runs its other jobs

      Users who reach more or less
        olga: More: the roles objects open the rooms of the pages too, not REST alone.
      "
    `);
    expect(stderr).toMatchInlineSnapshot(`
      "Nothing was stored. 5 documents, 5 documents to import, 1 document of them kept without effect, 1 secret to enter, 1 job that would fail.
      "
    `);
    expect(exitCode).toBe(0);
    expect(await muster.storage.rules.counts()).toEqual(new Map());
  });

  it('counts documents of types that nothing knows among those to import', async () => {
    await save('unknown.jsonl', '{"rule_type": "future_things"}\n{"name": "a"}\n{"name": "b"}\n');
    const { stderr } = await muster.run(['migrate', 'check', 'unknown.jsonl']);
    expect(stderr).toContain('2 documents, 2 documents to import, 2 documents of them kept');
  });

  it('fails when documents are refused, and names each with its line', async () => {
    const broken = { name: 'Broken', enabled: true, condition_typ: 'maybe', outcomes: [] };
    await save('bad.jsonl', `{"rule_type": "ansible_filter"}\n${JSON.stringify(broken)}\nno json\n`);
    expect((await muster.run(['migrate', 'check', 'bad.jsonl'])).stderr).toMatch(/line 3 is not valid JSON/);
    const { exitCode, stdout, stderr } = await muster.run(['migrate', 'check', 'bad.jsonl', '--skip-broken']);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/2 problems in documents that an import refuses/)]);
    expect(stdout).toMatch(/✗ automation_filter "Broken" \(line 2\): condition_typ /);
    expect(stdout).toMatch(/✗ automation_filter .*\(line 3\): is not valid JSON/);
  });

  it('answers JSON', async () => {
    const report = await muster.json<{ groups: unknown[] }>(['migrate', 'check', 'export.jsonl']);
    expect(report).toMatchObject({ documents: { users: 1 }, groups: [{ name: 'nightly' }] });
  });
});

describe('muster migrate compare', () => {
  beforeEach(async () => {
    await muster.run(['rules', 'import', 'export.jsonl']);
    await muster.run(['account', 'set', 'legacy', '--password-stdin'], { stdin: 'secret\n' });
    await muster.run(['import', 'legacy']);
  });

  it('lists differences with what made ours, and exits 1', async () => {
    const { exitCode, stdout, stderr } = await muster.run(['migrate', 'compare', 'old.json']);
    expect(stdout).toBe(
      '1 host: variable site has another value\n  ← label from account legacy\n    web02: "Oslo" → "oslo"\n',
    );
    expect(stderr).toBe('muster: 1 difference with 1 cause: 2 hosts there, 2 hosts in automation, 1 of them equal\n');
    expect(exitCode).toBe(1);
  });

  it('exits 0 without differences', async () => {
    await save('old.json', JSON.stringify(OLD).replace('Oslo', 'oslo'));
    const { exitCode, stdout, stderr } = await muster.run(['migrate', 'compare', 'old.json']);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toBe('No differences: 2 hosts there, 2 hosts in automation, 2 of them equal.\n');
  });

  it('reads the other installation over HTTP, with a login from the standard input', async () => {
    const asked: string[] = [];
    const url = await served((request, response) => {
      asked.push(`${request.url} ${request.headers['x-login-user']}`);
      response.end(JSON.stringify(OLD));
    });
    const args = ['migrate', 'compare', '--url', url, '--user', 'olga', '--password-stdin', '--json'];
    const { stdout } = await muster.run(args, { stdin: 'geheim\n' });
    expect(asked).toEqual(['/api/v1/ansible/inventory/ansible olga:geheim']);
    expect(JSON.parse(stdout)).toMatchObject({ differences: 1, groups: [{ variable: 'site', count: 1 }] });
  });

  it('wants exactly one other inventory', async () => {
    for (const args of [
      [],
      ['old.json', '--url', 'https://a'],
      ['old.json', '--user', 'olga'],
      ['--url', 'https://a', '--password-stdin'],
    ]) {
      expect((await muster.run(['migrate', 'compare', ...args])).exitCode, args.join(' ')).toBe(2);
    }
  });
});

describe('the inventory of another installation', () => {
  const signal = new AbortController().signal;
  const fetched = (url: string, limits = {}) =>
    fetchInventory({ url, provider: 'automation', login: 'olga:geheim', signal, ...limits });

  it('is looked for below the address, and at exactly the address of an inventory', async () => {
    const asked: (string | undefined)[] = [];
    const url = await served((request, response) => {
      asked.push(request.url);
      response.end('{}');
    });
    for (const path of ['', '/', '/api/v1', '/syncer/api/v1/', '/other/inventory?x=1']) await fetched(`${url}${path}`);
    await fetched(url, { provider: 'a b/c' });
    expect(asked).toEqual([
      '/api/v1/ansible/inventory/ansible',
      '/api/v1/ansible/inventory/ansible',
      '/api/v1/ansible/inventory/ansible',
      '/syncer/api/v1/ansible/inventory/ansible',
      '/other/inventory?x=1',
      '/api/v1/ansible/inventory/a%20b%2Fc',
    ]);
  });

  it('follows a redirect to the same host, and takes the password to no other', async () => {
    let strangers = 0;
    const other = await served((_, response) => {
      strangers++;
      response.end('{}');
    });
    const url = await served((request, response) => {
      if (request.url === '/moved') response.end('{"moved": true}');
      else
        response
          .writeHead(302, { location: request.url === '/away' ? other : request.url === '/loop' ? '/loop' : '/moved' })
          .end();
    });
    expect(await fetched(`${url}/here`)).toBe('{"moved": true}');
    await expect(fetched(`${url}/away`)).rejects.toThrow(/leads to http:/);
    await expect(fetched(`${url}/loop`)).rejects.toThrow(/from one address to the next/);
    expect(strangers).toBe(0);
  });

  it('is bounded in time and size, and says what is wrong', async () => {
    const url = await served((request, response) => {
      if (request.url === '/large') response.end('x'.repeat(2000));
      else if (request.url !== '/slow') response.writeHead(Number(request.url?.slice(1))).end();
    });
    await expect(fetched(`${url}/large`, { maxBytes: 1000 })).rejects.toThrow(/more than 1000 bytes/);
    await expect(fetched(`${url}/slow`, { seconds: 0.05 })).rejects.toThrow(/within 0.05 seconds/);
    await expect(fetched(`${url}/401`)).rejects.toThrow(/refuses the login/);
    await expect(fetched(`${url}/500`)).rejects.toThrow(/answers 500/);
    await expect(fetched('http://127.0.0.1:1/x')).rejects.toThrow(/cannot be reached/);
    for (const wrong of ['old.example.org', 'ftp://old/', 'https://olga:secret@old/']) {
      await expect(fetched(wrong)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });
});

describe('muster migrate run', () => {
  const run = (typed: readonly string[], ...options: string[]) =>
    muster.run(['migrate', 'run', 'export.jsonl', ...options], { typed });

  it('goes through check, import, passwords and comparison, and says what it did', async () => {
    const yes = ['y\n', 'n\n'];
    const typed = [...yes, ...yes, 'y\n', 'geheim\n', 'n\n', ...yes];
    const { exitCode, stdout, stderr } = await run(typed, '--inventory', 'old.json');
    expect(stderr).toMatch(/1 of 4.*2 of 4.*3 of 4.*Password of account legacy.*user passwd olga.*4 of 4/s);
    expect(stdout).toMatch(/Different here.*2 hosts: the host is missing here\n {2}← no host of this name is stored/s);
    expect(stderr).toMatch(
      /Done: checked the export; imported the export; saved 1 password; compared the inventory automation\.\n$/,
    );
    expect(exitCode).toBe(1);
    expect((await muster.run(['doctor'])).stdout).toMatch(/opens the secret of 1 account\b/);
  });

  it('leaves steps out and does them again', async () => {
    const { exitCode, stdout, stderr } = await run(['y\n', 'y\n', 'n\n', 'n\n', 'n\n', 'n\n']);
    expect(stdout.match(/Different here/g)).toHaveLength(2);
    expect(stderr).toMatch(/Done: checked the export; checked the export\.\n$/);
    expect(exitCode).toBe(0);
    expect(await muster.storage.rules.counts()).toEqual(new Map());
    expect((await run(['n\n', 'n\n', 'n\n', 'n\n'])).stderr).toMatch(/Nothing was done\.\n$/);
  });

  it('says what is missing for a comparison', async () => {
    expect((await run(['n\n', 'n\n', 'n\n', 'y\n', 'n\n'])).stderr).toMatch(/--inventory <file> or --url <url>/);
  });

  it('says which commands to run where nobody can be asked', async () => {
    const { exitCode, stdout } = await muster.run(['migrate', 'run', 'export.jsonl', '--inventory', 'old.json']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'muster migrate check export.jsonl',
        'muster rules import export.jsonl',
        'muster account set <name> --password-stdin',
        'muster migrate compare old.json --provider automation',
        '',
      ].join('\n'),
    );
    expect(await muster.storage.rules.counts()).toEqual(new Map());
  });
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function served(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
