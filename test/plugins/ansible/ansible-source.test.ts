import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sourcePrograms } from '../../../src/adapters/playbooks/source-programs.ts';
import type { SourceItem } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import {
  describeSourceFaults,
  type FaultySource,
  type SourceFault,
} from '../../../src/testing/source-faults.contract.ts';
import { temporaryFile, temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { IMPORTED } from '../faults/imported-over.ts';
import { itemsOf, open, programsOf, standIn } from './support.ts';

const OUTPUT = {
  _meta: {
    hostvars: {
      web1: {
        ansible_host: '10.0.0.1',
        net: { vlan: 7, tags: ['a', 'b'] },
        says: { __ansible_unsafe: '{{ x }}' },
        plain: { __ansible_unsafe: 'text' },
        password: { __ansible_vault: '$ANSIBLE_VAULT;1.1;AES256\n6162\n' },
        nested: {
          token: { __ansible_vault: '$ANSIBLE_VAULT;1.1;AES256\n6162\n' },
          list: [{ __ansible_vault: 'x' }, 1],
        },
        raw: '$ANSIBLE_VAULT;1.1;AES256\n6162\n',
        big: 12345678901234567890n,
      },
      db1: { tier: 1 },
    },
  },
  all: { children: ['ungrouped', 'prod', 'empty'] },
  prod: { children: ['web', 'db'] },
  web: { hosts: ['web1', 'web2'] },
  db: { hosts: ['db1'] },
  ungrouped: { hosts: ['lone'] },
};

function written(output: object): string {
  return JSON.stringify(output, (_key, value) => (typeof value === 'bigint' ? `big:${value}` : value)).replace(
    /"big:(\d+)"/,
    '$1',
  );
}

async function saved(fields: Readonly<Record<string, unknown>> = {}, output: object = OUTPUT): Promise<SourceItem[]> {
  return itemsOf(open({ path: await temporaryFile(written(output)), reads: 'output', ...fields }));
}

function named(items: readonly SourceItem[], name: string): SourceItem | undefined {
  return items.find((item) => item.kind === 'record' && item.hostname === name);
}

describe('a saved answer of ansible-inventory', () => {
  it('has variables as labels, and groups of a host as lists, direct ones and those above them', async () => {
    const items = await saved();
    expect(items.map((item) => item.kind === 'record' && item.hostname)).toEqual(['web1', 'db1', 'web2', 'lone']);
    expect(named(items, 'web1')).toEqual({
      kind: 'record',
      position: 'host "web1"',
      hostname: 'web1',
      labels: {
        ansible_host: '10.0.0.1',
        'net.vlan': 7,
        'net.tags': ['a', 'b'],
        says: '{{ x }}',
        plain: 'text',
        'nested.list': [null, 1],
        big: '12345678901234567890',
        groups: ['web'],
        group_names: ['prod', 'web'],
      },
    });
    expect(named(items, 'lone')).toMatchObject({ labels: { groups: [], group_names: [] } });
  });

  it('never gives what a vault encrypts, in no form', async () => {
    for (const fields of [{}, { variables_section: 'ansible' }, { inventory_fields: 'nested' }, { groups: 'both' }]) {
      expect(JSON.stringify(await saved(fields))).not.toMatch(/ANSIBLE_VAULT|__ansible_vault|6162/);
    }
  });

  it('has variables in a section, as they are, and marks what would be evaluated without its mark', async () => {
    expect(named(await saved({ variables_section: 'ansible', groups: 'none' }), 'web1')).toMatchObject({
      labels: {},
      inventory: {
        ansible: {
          net: { vlan: 7, tags: ['a', 'b'] },
          says: { __ansible_unsafe: '{{ x }}' },
          plain: 'text',
          nested: { list: [null, 1] },
        },
      },
    });
  });

  it('has groups as objects, with hosts and groups as members of them', async () => {
    const exported = { ...OUTPUT, prod: { ...OUTPUT.prod, vars: { env: 'prod', ntp: { servers: ['a'] } } } };
    const items = await saved({ groups: 'both', variables: 'own', group_prefix: 'g:' }, exported);
    expect(named(items, 'web1')).toMatchObject({ type: 'host', relations: [{ type: 'member_of', target: 'g:web' }] });
    expect(named(items, 'g:web')).toMatchObject({
      type: 'group',
      relations: [{ type: 'member_of', target: 'g:prod' }],
    });
    expect(named(items, 'g:prod')).toEqual({
      kind: 'record',
      position: 'group "prod"',
      hostname: 'g:prod',
      type: 'group',
      labels: { env: 'prod', 'ntp.servers': ['a'], group_name: 'prod', parents: [] },
      relations: [],
    });
    expect(named(items, 'g:empty')).toMatchObject({ type: 'group', relations: [] });
    expect(named(items, 'g:all')).toBeUndefined();
    const only = await saved({ groups: 'relations', variables: 'own' }, exported);
    expect(JSON.stringify(named(only, 'web1'))).not.toContain('group_names');
  });

  it('skips a group with the name of a host, and says what to do', async () => {
    const items = await saved({ groups: 'relations' }, { ...OUTPUT, web1: { hosts: ['web1'] } });
    expect(items.find(({ kind }) => kind === 'skipped')).toMatchObject({
      hostname: 'web1',
      reason: expect.stringContaining('group_prefix'),
    });
  });

  it('applies record_filter to hosts, and not to groups', async () => {
    const items = await saved({ groups: 'relations', record_filter: 'tier=1' });
    expect(items.map((item) => (item.kind === 'record' ? item.hostname : item.kind))).toEqual(
      ['db1', 'web', 'prod', 'db', 'empty', 'left_out'].sort((a, b) => order(items, a) - order(items, b)),
    );
  });

  it('takes no answer whose hosts lack the variables of their groups for the whole', async () => {
    await expect(saved({}, { ...OUTPUT, web: { hosts: ['web1'], vars: { a: 1 } } })).rejects.toThrow(/variables=own/);
  });

  it('survives a circle of groups', async () => {
    const items = await saved({}, { ...OUTPUT, web: { hosts: ['web1'], children: ['prod'] } });
    expect(named(items, 'web1')).toMatchObject({ labels: { group_names: ['prod', 'web'] } });
  });
});

function order(items: readonly SourceItem[], name: string): number {
  return items.findIndex((item) => (item.kind === 'record' ? item.hostname : item.kind) === name);
}

describe('the program', () => {
  const here = { path: 'package.json' };

  it('gets no environment of the service, and neither a shell nor a password of a vault', async () => {
    const command = await standIn(
      `env > "$(dirname "$0")/env"; echo "$*" > "$(dirname "$0")/args"; cat '${await temporaryFile(written(OUTPUT))}'`,
    );
    const environment = {
      PATH: process.env.PATH,
      SERVICE_INSTANCE_KEY: 'k',
      MUSTER_SECRET: 's',
      DATABASE_URL: 'd',
      PGPASSWORD: 'p',
      ANSIBLE_VAULT_PASSWORD_FILE: '/secret',
    };
    await itemsOf(open({ ...here, command }, programsOf(environment)));
    const told = await readFile(join(command, '../env'), 'utf8');
    expect(told).not.toMatch(/SERVICE_|MUSTER_|DATABASE_URL|PGPASSWORD|\/secret/);
    expect(told).toContain('ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=True');
    expect(await readFile(join(command, '../args'), 'utf8')).toBe(
      `--inventory ${join(process.cwd(), 'package.json')} --list\n`,
    );
  });

  it('is ended with all that it started, when nobody wants it any more', async () => {
    const command = await standIn('(trap "" TERM; sleep 60; echo) & echo $! > "$(dirname "$0")/pid"; wait');
    const controller = new AbortController();
    const reading = itemsOf(open({ ...here, command }), controller.signal);
    const pidFile = join(command, '../pid');
    let pid = '';
    while (pid === '') {
      await delay(20);
      pid = (await readFile(pidFile, 'utf8').catch(() => '')).trim();
    }
    controller.abort(new Error('stop'));
    await expect(reading).rejects.toThrow('stop');
    // What nobody waits for stays as a zombie where no init takes care of it.
    expect(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')).toContain(') Z');
  });

  it('may not take for ever, nor write without end', async () => {
    await expect(itemsOf(open({ ...here, command: await standIn('sleep 60'), timeout: 1 }))).rejects.toThrow(
      /longer than 1 second$/,
    );
    const endless = await standIn('exec cat /dev/zero');
    await expect(itemsOf(open({ ...here, command: endless }))).rejects.toThrow(/more than 64 MB/);
  });

  it('is run for accounts of the operator alone', async () => {
    const access = sourcePrograms({ workingDirectory: process.cwd(), environment: {}, passed: [] });
    const programs = access.sources({ anywhere: false, advice: 'let the operator of the machine confirm it' });
    await expect(itemsOf(open({ ...here, command: '/bin/true' }, programs))).rejects.toThrow(
      /operator of the machine confirm/,
    );
  });

  it('says what it is', async () => {
    const command = await standIn('echo "ansible-inventory [core 2.19.0]"; echo more');
    const told = await open({ ...here, command }).check?.({ signal: new AbortController().signal });
    expect(told).toBe(`the file ${join(process.cwd(), 'package.json')}, read by ansible-inventory [core 2.19.0]`);
    await expect(
      open({ ...here, command: 'no-such-program' }).check?.({ signal: new AbortController().signal }),
    ).rejects.toThrow(/cannot be started/);
  });

  const unparsed = async (warning: string) => {
    const script = `if [ "$ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED" = True ]; then exit 1; fi; printf '%s\\n' '${warning}' >&2; cat '${await temporaryFile(written(OUTPUT))}'`;
    return itemsOf(open({ ...here, command: await standIn(script) }));
  };

  it('makes a partial run of what it cannot parse, and says how it is left out', async () => {
    const items = await unparsed('[WARNING]: Unable to parse /inv/z+1.yml as an inventory source');
    expect(inEnglish(items[0])).toMatchObject({
      kind: 'gap',
      what: '/inv/z+1.yml',
      reason: expect.stringContaining('add ^z\\+1\\.yml$ to ignore_patterns of the account'),
    });
    expect(named(items, 'web1')).toBeDefined();
  });

  it('names what it cannot parse where a warning is broken into lines', async () => {
    const [gap] = await unparsed('[WARNING]: Unable to parse /inv/zzz-\ninventory.config as an\ninventory source');
    expect(gap).toMatchObject({ kind: 'gap', what: '/inv/zzz-inventory.config' });
  });

  it('is told what to leave out, or nothing', async () => {
    const answer = await temporaryFile(written(OUTPUT));
    const command = await standIn(`env > "$(dirname "$0")/env"; cat '${answer}'`);
    const told = async (fields: Readonly<Record<string, string>>) => {
      await itemsOf(open({ ...here, command, ...fields }));
      return (await readFile(join(command, '../env'), 'utf8')).match(/^ANSIBLE_INVENTORY_IGNORE.*$/gm);
    };
    expect(await told({})).toBeNull();
    expect(await told({ ignore_patterns: '^a$, b\\.config$' })).toEqual([
      'ANSIBLE_INVENTORY_IGNORE_REGEX=^a$,b\\.config$',
    ]);
  });
});

const NAMES = Array.from({ length: 25 }, (_, index) => `web${index + 1}.example.org`);

function answerOf(names: readonly string[], remark = 'of a test'): string {
  const hostvars = Object.fromEntries(names.map((name) => [name, { remark }]));
  return JSON.stringify({ _meta: { hostvars }, all: { children: ['web'] }, web: { hosts: names } });
}

async function made(
  fault: SourceFault,
  opened: (text: string) => Promise<FaultySource['source']>,
): Promise<FaultySource | undefined> {
  const whole = answerOf(NAMES);
  const of = async (text: string, hostnames = NAMES): Promise<FaultySource> => ({
    source: await opened(text),
    hostnames,
  });
  switch (fault) {
    case 'refused connection':
      return { source: open({ path: '/nonexistent/hosts', command: '/nonexistent/program' }), hostnames: [] };
    case 'cut off':
      return of(whole.slice(0, whole.lastIndexOf('of a') + 2));
    case 'invalid text':
      return of(`${whole.slice(0, 40)}}{]`);
    case 'empty answer':
      return of('');
    case 'half of the records':
      return of(answerOf(NAMES.slice(0, 12)));
    case 'record of 10 MB':
      return of(answerOf(['large.example.org', ...NAMES], 'x'.repeat(400_000)));
    case 'duplicate names':
      return of(JSON.stringify({ ...JSON.parse(whole), db: { hosts: NAMES.slice(0, 3) } }));
    case 'many records': {
      const names = Array.from({ length: 20_000 }, (_, index) => `host${index}`);
      return of(answerOf(names), names);
    }
    default:
      return undefined;
  }
}

async function byProgram(text: string, more: Readonly<Record<string, unknown>> = {}) {
  const folder = await temporaryFolder();
  const file = join(folder, 'answer');
  await writeFile(file, text);
  return open({ path: file, command: await standIn(`cat '${file}'`), ...more });
}

async function bySavedFile(text: string, more: Readonly<Record<string, unknown>> = {}) {
  return open({ path: await temporaryFile(text), reads: 'output', ...more });
}

for (const [name, opened] of [
  ['ansible, saved', bySavedFile],
  ['ansible, run', byProgram],
] as const) {
  describeSourceContract(name, {
    healthy: async () => ({
      source: await opened(answerOf(NAMES, 'J4711'), { key_fields: 'serial:remark' }),
      hostname: 'web1.example.org',
      keys: { hostname: 'web1.example.org', values: { serial: ['J4711'] } },
    }),
    broken: () => opened('{"_meta"'),
  });
  const program = async (fault: SourceFault): Promise<FaultySource | undefined> => {
    if (opened === byProgram && fault === 'second part broken') {
      const text = answerOf(NAMES.slice(0, 12));
      const command = await standIn(`[ "$ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED" = True ] && exit 1; echo '${text}'`);
      return { source: open({ path: 'package.json', command }), hostnames: NAMES };
    }
    if (opened === byProgram && fault === 'answer without end') {
      return { source: open({ path: 'package.json', command: await standIn('exec cat /dev/zero') }), hostnames: NAMES };
    }
    return made(fault, opened);
  };
  describeSourceFaults(name, { make: program });
  for (const { how, run } of IMPORTED) {
    describeSourceFaults(`${name}, ${how}`, {
      run,
      make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : program(fault)),
    });
  }
}
