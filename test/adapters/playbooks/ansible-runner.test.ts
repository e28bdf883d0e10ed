import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { ansiblePlaybookRunner } from '../../../src/adapters/playbooks/ansible/ansible-runner.ts';
import { variablesDocument } from '../../../src/adapters/playbooks/ansible/variables-file.ts';
import type { PlaybookCall } from '../../../src/ports/index.ts';

let folder: string;
let program: string;
let script: string;
let output: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-runner-'));
  program = join(folder, 'fake-playbook');
  script = join(folder, 'inventory');
  output = '';
  await makeScript(script, `echo '{"_meta": {}}'`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program in the place of ansible-playbook. */
async function pretend(text: string): Promise<void> {
  await makeScript(program, text);
}

async function makeScript(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

function runner(environment: Record<string, string> = {}, passed: readonly string[] = []) {
  const { PATH } = process.env;
  return ansiblePlaybookRunner({
    program,
    directory: folder,
    inventoryScript: script,
    environment: { PATH, ...environment },
    passed,
  });
}

const call: PlaybookCall = {
  playbook: 'sub/a.yml',
  provider: 'lab',
  hostname: 'web01',
  checkMode: false,
  extraVariables: null,
};

function run(
  more: Partial<PlaybookCall> = {},
  signal = new AbortController().signal,
  environment = {},
  passed: readonly string[] = [],
) {
  const onOutput = (text: string): void => {
    output += text;
  };
  return runner(environment, passed).run({ ...call, ...more }, { signal, onOutput });
}

describe('the runner of playbooks', () => {
  it('calls the program with the playbook, the inventory and the choices of the run, and no shell', async () => {
    await pretend('for word in "$@"; do echo "<$word>"; done; pwd; env');
    expect(await run({ hostname: "a'; touch x; '$(id)", checkMode: true })).toEqual({ exitCode: 0 });
    const lines = output.split('\n');
    expect(lines.slice(0, 5)).toEqual(['<--inventory>', `<${script}>`, '<--check>', `<${folder}/sub/a.yml>`, folder]);
    expect(lines).toContain('SERVICE_INVENTORY_PROVIDER=lab');
    expect(lines).toContain("SERVICE_INVENTORY_HOST=a'; touch x; '$(id)");
    expect(lines).toContain('ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=True');
    expect(lines).toContain('LC_ALL=C.UTF-8');
  });

  it('has the inventory written before, by a script that knows the settings, for the choices of the run', async () => {
    await makeScript(script, 'echo "$1 $SERVICE_INVENTORY_PROVIDER $SERVICE_INVENTORY_HOST"; env | grep ^SERVICE_');
    await pretend('ls -l "$MUSTER_INVENTORY_FILE" | cut -c1-10; cat "$MUSTER_INVENTORY_FILE"');
    await run({}, undefined, { SERVICE_DATABASE_URL: 'mongodb://muster:hunter2@db/' });
    const [mode, arguments_, ...variables] = output.split('\n');
    expect([mode, arguments_]).toEqual(['-rw-------', '--list lab web01']);
    expect(variables).toContain('SERVICE_INVENTORY_ANSIBLE_LABELS=drop');
    expect(variables).toContain('SERVICE_DATABASE_URL=mongodb://muster:hunter2@db/');
  });

  it('limits the inventory to hosts by a file of their names, and passes none of them to the program', async () => {
    const hostnames = ['all', 'web*:!db', '@/etc/passwd', '~.*', "a'; $(id)", 'b,c'];
    const more = { hostname: null, hostnames };
    await makeScript(script, 'ls -l "$SERVICE_INVENTORY_HOSTS" | cut -c1-10; cat "$SERVICE_INVENTORY_HOSTS"');
    await pretend('cat "$MUSTER_INVENTORY_FILE"; echo; echo "$@"; env | grep ^SERVICE_');
    await run(more, undefined, { SERVICE_INVENTORY_HOSTS: '/of/another', SERVICE_INVENTORY_HOST: 'other' });
    const [mode, names = '', ...rest] = output.split('\n');
    expect(mode).toBe('-rw-------');
    expect(JSON.parse(names)).toEqual(hostnames);
    expect(rest).toEqual([`--inventory ${script} ${folder}/sub/a.yml`, 'SERVICE_INVENTORY_PROVIDER=lab', '']);
  });

  it('leaves a limit alone that stands in the environment of the service', async () => {
    await makeScript(script, 'env | grep ^SERVICE_INVENTORY');
    await pretend('cat "$MUSTER_INVENTORY_FILE"');
    await run({}, undefined, { SERVICE_INVENTORY_HOSTS: '/of/another' });
    expect(output).not.toContain('SERVICE_INVENTORY_HOSTS');
  });

  it('runs nothing without an inventory, and says why', async () => {
    await pretend(`touch ${join(folder, 'ran')}`);
    await makeScript(script, 'echo "muster: there is no provider lab" >&2; exit 1');
    await expect(run()).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('cannot be read: muster: there is no provider'),
    });
    await rm(script);
    await expect(run()).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('cannot be read') });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('ends when it is called off while the inventory is written', async () => {
    await makeScript(script, `touch ${join(folder, 'asked')}; exec sleep 30`);
    await pretend('');
    const stop = new AbortController();
    const running = run({}, stop.signal);
    await vi.waitUntil(() => existsSync(join(folder, 'asked')), { timeout: 5_000 });
    stop.abort();
    await expect(running).rejects.toThrow();
  });

  it('gives the program what every program needs, and nothing of the service', async () => {
    const secret = {
      SERVICE_INSTANCE_KEY: 'k',
      SERVICE_DATABASE_URL: 'mongodb://muster:hunter2@db/',
      SERVICE_API_PASSWORD: 'p',
      MUSTER_TOKEN: 't',
      DATABASE_PASSWORD: 'd',
      AWS_SECRET_ACCESS_KEY: 'a',
    };
    const honest = {
      LANG: 'de_DE.utf8',
      ANSIBLE_CONFIG: '/etc/ansible.cfg',
      SSH_AUTH_SOCK: '/run/agent',
      https_proxy: 'x',
    };
    await pretend('env');
    await run({}, undefined, { ...secret, ...honest });
    for (const name of Object.keys(secret)) expect(output).not.toMatch(new RegExp(`^${name}=`, 'm'));
    for (const [name, value] of Object.entries(honest)) expect(output).toContain(`${name}=${value}\n`);
    output = '';
    await run({}, undefined, { ...secret, ...honest }, ['AWS_*', 'SERVICE_*', 'DATABASE_PASSWORD', '*']);
    expect(output).toContain('AWS_SECRET_ACCESS_KEY=a\n');
    expect(output).toContain('DATABASE_PASSWORD=d\n');
    expect(output).not.toMatch(/SERVICE_INSTANCE_KEY|SERVICE_DATABASE_URL|SERVICE_API_PASSWORD|MUSTER_TOKEN/);
  });

  it('has a private folder for each run, gone with it, unless it is told others', async () => {
    await pretend('echo "$HOME $ANSIBLE_LOCAL_TEMP"; ls -ld "$HOME" "$ANSIBLE_LOCAL_TEMP" | cut -c1-10; env');
    await run({ hostname: null });
    const [line = '', ...modes] = output.split('\n');
    const [home = '', temporary] = line.split(' ');
    expect(temporary).toBe(`${home}/ansible`);
    expect(modes.slice(0, 2)).toEqual(['drwx------', 'drwx------']);
    expect(existsSync(home)).toBe(false);
    expect(output).not.toContain('SERVICE_INVENTORY_HOST');
    output = '';
    await run({}, undefined, { HOME: folder, ANSIBLE_LOCAL_TEMP: '/tmp', LANG: 'de_DE.utf8' });
    expect(output).toMatch(new RegExp(`^${folder} /tmp\n`));
    expect(output).not.toContain('LC_ALL');
  });

  it('hands variables over in a file that nobody else reads, and that is gone afterwards', async () => {
    await pretend('echo "$4"; file=$(echo "$4" | cut -c2-); ls -l "$file" | cut -c1-10; cat "$file"');
    await run({ extraVariables: { values: { a: '{{ b }}' }, templates: false } });
    const [file = '', mode, content] = output.split('\n');
    expect(mode).toBe('-rw-------');
    expect(content).toBe('{"a": !unsafe "{{ b }}"}');
    expect(existsSync(file.slice(1))).toBe(false);
  });

  it('answers what the program answers, with all that it prints', async () => {
    await pretend('echo out; echo err >&2; exit 3');
    expect(await run()).toEqual({ exitCode: 3 });
    expect(output.split('\n').sort()).toEqual(['', 'err', 'out']);
    await pretend('kill -9 $$');
    expect(await run()).toEqual({ exitCode: null });
  });

  it('does not wait for what a playbook leaves behind', async () => {
    await pretend('sleep 30 & echo $!');
    expect(await run()).toEqual({ exitCode: 0 });
    process.kill(Number(output.trim()));
  });

  it('ends everything that it started, also what does not listen and what left its group', async () => {
    const pids = join(folder, 'pids');
    await pretend(
      `trap '' TERM\nsh -c "trap '' TERM; echo \\$\\$ >> ${pids}; while :; do sleep 1; done" &\nsetsid sh -c "trap '' TERM; echo \\$\\$ >> ${pids}; while :; do sleep 1; done" &\necho $$ >> ${pids}\nwait; wait`,
    );
    const stop = new AbortController();
    const running = run({}, stop.signal);
    const started = () => (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []);
    await vi.waitUntil(() => started().length === 3, { timeout: 10_000 });
    for (const pid of started()) expect(isRunning(pid)).toBe(true);
    stop.abort();
    expect(await running).toEqual({ exitCode: null });
    await vi.waitUntil(() => started().every((pid) => !isRunning(pid)), { timeout: 5_000 });
  });

  it('lets a program end in its own way when it does', async () => {
    await pretend("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
    const stop = new AbortController();
    const running = run({}, stop.signal);
    await vi.waitUntil(() => output.includes('ready'));
    stop.abort();
    expect(await running).toEqual({ exitCode: 5 });
    expect(output).toContain('bye');
  });

  it('starts nothing when it is called off before', async () => {
    await pretend(`touch ${join(folder, 'ran')}`);
    await expect(run({}, AbortSignal.abort())).rejects.toThrow();
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('says what to do when there is no such program, or it does not work', async () => {
    const signal = new AbortController().signal;
    await expect(run()).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('ANSIBLE_PLAYBOOK') });
    await expect(runner().check(signal)).rejects.toMatchObject({ code: 'failed' });
    await pretend('echo "ERROR: no UTF-8" >&2; exit 1');
    await expect(runner().check(signal)).rejects.toMatchObject({ message: expect.stringContaining('no UTF-8') });
    await pretend('test "$1" = --version');
    await runner().check(signal);
  });
});

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the file of variables', () => {
  const values = {
    plain: 'x',
    'a "key"': 'line\nbreak \\ "quoted"',
    unicode: 'ü \u{1f600} \u007f \u0085 \u2028 \ufeff',
    numbers: [1, -2.5, 1e300],
    nothing: null,
    truth: [true, false],
    deep: { list: [{ text: '{{ x }}' }], none: {}, empty: [] },
  };

  it('says the same in YAML, whatever it is', () => {
    const text = variablesDocument({ values, templates: true });
    expect(text).toMatch(/^[\n -~]*$/);
    expect(parse(text)).toEqual(values);
    const unsafe = { tag: '!unsafe', resolve: (value: string) => `unsafe ${value}` };
    expect(parse(variablesDocument({ values, templates: false }), { customTags: [unsafe] })).toMatchObject({
      plain: 'unsafe x',
      unicode: `unsafe ${values.unicode}`,
      numbers: values.numbers,
      deep: { list: [{ text: 'unsafe {{ x }}' }], none: {}, empty: [] },
    });
  });
});
