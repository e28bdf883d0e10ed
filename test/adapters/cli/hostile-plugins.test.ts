import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));
const THOROUGH = process.env.THOROUGH === '1';

const plugin = (id: string, register: string): string => `export default { id: '${id}', apiVersion: 2, ${register} };`;

/** What is wrong with each, as the list of plugins says it. */
const LEFT_OUT: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
  'rejects-late': [
    plugin('rejects-late', "async register() { await null; throw new Error('no shelf'); }"),
    /^plugin rejects-late: register failed: no shelf \(rejects-late\.mjs:1\)$/,
  ],
  throws: [
    `function shelf() { return undefined.height; }\n${plugin('throws', 'register() { shelf(); }')}`,
    /register failed: Cannot read properties of undefined \(reading 'height'\) \(throws\.mjs:1\)$/,
  ],
  'ends-all': [
    `process.exit(0);\n${plugin('ends-all', 'register() {}')}`,
    /loading failed: it called process\.exit\(0\), which would end all of Muster/,
  ],
  'empty-type': [
    plugin('empty-type', 'register(host) { host.ruleType({}); }'),
    /^rule type: id is required; title is required; .*check must be a function$/,
  ],
  'no-open': [
    plugin('no-open', "register(host) { host.source({ id: 'shelf', title: 'Shelf', description: '' }); }"),
    /^source "shelf": options must be a schema; .*; open must be a function$/,
  ],
  'no-log-name': [
    plugin('no-log-name', "register(host) { host.jobName({ name: 'Racks: Get', system: { title: 'Racks' } }); }"),
    /^job name "Racks: Get": logsAs is required; system\.accountType is required$/,
  ],
  'flag-name': [
    plugin('flag-name', "register(host) { host.inventoryProvider('--list', () => ({})); }"),
    /^inventory provider "--list": name must be a name of letters/,
  ],
  'no-name': [
    plugin('no-name', "register(host) { host.inventoryProvider('', () => ({})); }"),
    /^inventory provider "": name must be a name of letters/,
  ],
  'proto-name': [
    plugin('proto-name', "register(host) { host.inventoryProvider('__proto__', () => ({})); }"),
    /^inventory provider "__proto__": name is a name that every object has/,
  ],
  'no-javascript': ['export default { id: }', /loading failed: Unexpected token '\}' \(no-javascript\.mjs:1\)$/],
  'no-plugin': ['export default 1;', /does not export a plugin by default/],
};

/** They run, and are named where they do what they should not. */
const RUNNING: Readonly<Record<string, readonly [text: string, message: string]>> = {
  talks: [
    `console.log('from talks');\n${plugin('talks', "register() { process.stdout.write('and again\\n'); }")}`,
    'from talks\nand again\n',
  ],
  'stray-rejection': [
    `setTimeout(() => Promise.reject(new Error('stray')), 1);\n${plugin('stray-rejection', 'register() {}')}`,
    'plugin="./stray-rejection.mjs" reason="stray"',
  ],
  'stray-throw': [
    `setTimeout(() => { throw new Error('thrown'); }, 1);\n${plugin('stray-throw', 'register() {}')}`,
    'plugin="./stray-throw.mjs" reason="thrown"',
  ],
  'ends-later': [
    `setTimeout(() => process.exit(0), 1);\n${plugin('ends-later', 'register() {}')}`,
    'plugin="./ends-later.mjs" reason="it called process.exit(0)',
  ],
};

const LOOPING = { match_type: 'tag', tag: 'room', tag_match: 'equal', value: '4', value_match: 'loop' };

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-hostile-plugins-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function pluginFile(name: string, text: string): Promise<string> {
  await writeFile(join(directory, `${name}.mjs`), text);
  return `./${name}.mjs`;
}

function optionsOf(environment: NodeJS.ProcessEnv) {
  return { cwd: directory, env: { PATH: process.env.PATH, ...environment } };
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv) {
  return new Promise<{ stdout: string; stderr: string; exitCode: number; signal: string | null }>((resolve) => {
    const child = execFile(program, args, optionsOf(environment), (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, signal: child.signalCode, stdout, stderr });
    });
  });
}

it('hostile plugins, all at once, are named and keep nothing else from working', async () => {
  const files: string[] = [];
  for (const [name, [text]] of Object.entries({ ...LEFT_OUT, ...RUNNING })) files.push(await pluginFile(name, text));
  // They get the time to do what they do outside of any call.
  const wait =
    "start: () => new Promise((resolve) => setTimeout(resolve, 50)), register(host) { host.inventoryProvider('sound', () => ({})); }";
  files.push(await pluginFile('sound', plugin('sound', wait)));

  const { stdout, stderr, exitCode } = await run(['plugins', '--json'], { SERVICE_PLUGINS: files.join(',') });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  const plugins = JSON.parse(stdout) as { id: string; state: string; message: string; provides: string[] }[];
  const known = new Map(plugins.map((status) => [status.id.replace(/^\.\/|\.mjs$/g, ''), status]));
  for (const [name, [, message]] of Object.entries(LEFT_OUT)) {
    expect(known.get(name), name).toMatchObject({
      state: 'failed',
      provides: [],
      message: expect.stringMatching(message),
    });
  }
  for (const [name, [, said]] of Object.entries(RUNNING)) {
    expect(known.get(name), name).toMatchObject({ state: 'running', message: '' });
    expect(stderr).toContain(said);
  }
  expect(known.get('sound')).toMatchObject({ state: 'running', provides: ['inventory provider sound'] });
  expect(known.get('csv')).toMatchObject({ state: 'running' });
});

it('a backup is written in spite of a plugin that ends the program as it is loaded', async () => {
  const file = await pluginFile('ends-all', 'process.exit(0);');
  await run(['account', 'add', 'lab', '--type', 'api'], {});
  const { exitCode, stderr } = await run(['backup', 'muster.backup'], { SERVICE_PLUGINS: file });
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('it called process.exit(0)')]);
  expect((await readFile(join(directory, 'muster.backup'))).length).toBeGreaterThan(100);
});

describe.skipIf(!THOROUGH)('a plugin that never gives control back', () => {
  it('as it is loaded: Ctrl-C ends the program', async () => {
    const file = await pluginFile('loops', "process.stderr.write('looping'); for (;;);");
    const child = spawn(program, ['host', 'list'], optionsOf({ SERVICE_PLUGINS: file }));
    child.stderr.once('data', () => child.kill('SIGINT'));
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  });

  it.each([
    ['is loaded', 'for (;;);', 'plugin ./loops.mjs did not give control back for 2 seconds (loading)'],
    [
      'registers',
      plugin('loops', 'register() { for (;;); }'),
      'plugin loops did not give control back for 2 seconds (register)',
    ],
    [
      'is asked',
      plugin('loops', "register(host) { host.inventoryProvider('racks', () => ({ full() { for (;;); } })); }"),
      'plugin loops did not give control back for 2 seconds (inventory provider racks)',
    ],
  ])('as it %s: the program ends with its name', async (_when, text, message) => {
    await run(['account', 'add', 'lab', '--type', 'api'], {});
    const environment = { SERVICE_PLUGINS: await pluginFile('loops', text), SERVICE_PLUGIN_TIMEOUT_SECONDS: '1' };
    const { stdout, stderr, signal } = await run(['inventory', 'racks', '--list'], environment);
    expect([stdout, signal]).toEqual(['', 'SIGKILL']);
    expect(stderr).toContain(message);
  });

  it.each([
    [
      'a rule',
      `host.ruleType({ id: 'loop_rule', aliases: [], title: 'Loop', description: '', keyedBy: 'name', uniqueNames: true,
        conditional: true, exportGroup: 'rules', secretMembers: [], schema: {}, check: () => [],
        evaluation: { stage: 'attributes', compile: () => () => { for (;;); } } });`,
      'loop_rule',
      {},
      'rules of type loop_rule',
    ],
    [
      'a filter',
      "host.templateFilter({ id: 'loop', description: 'Loops', apply(v) { if (v !== '') for (;;); return v; } });",
      'custom_attributes',
      { outcomes: [{ attribute_name: 'x', attribute_value: '{{ room | loop }}' }] },
      'template filter loop',
    ],
    [
      'a test',
      "host.conditionOperator({ id: 'loop', description: 'Loops', words: ['is', 'is not'], compile: () => () => { for (;;); } });",
      'custom_attributes',
      { condition_typ: 'all', conditions: [LOOPING], outcomes: [{ attribute_name: 'x', attribute_value: 'y' }] },
      'condition operator loop',
    ],
  ])('in %s, on each host: the program ends with its name', async (_what, registers, type, more, what) => {
    const environment = {
      SERVICE_PLUGINS: await pluginFile('loops', plugin('loops', `register(host) { ${registers} }`)),
      SERVICE_PLUGIN_TIMEOUT_SECONDS: '1',
    };
    await run(['account', 'add', 'lab', '--type', 'api'], {});
    await run(['host', 'set', 'web01', '--account', 'lab', '--label', 'room=4'], {});
    const rule = { name: 'loops', enabled: true, condition_typ: 'anyway', outcomes: [], ...more };
    await writeFile(join(directory, 'rules.json'), JSON.stringify({ rules: { [type]: [rule] } }));
    expect(await run(['rules', 'import', 'rules.json'], environment)).toMatchObject({ exitCode: 0 });
    const { stderr, signal } = await run(['inventory', 'automation', '--list'], environment);
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain(`plugin loops did not give control back for 2 seconds (${what})`);
  });

  it('in the service: its thread is replaced, and it is left out by name', { timeout: 60_000 }, async () => {
    const racks =
      "register(host) { host.inventoryProvider('racks', () => ({ full() { for (;;); }, host() { for (;;); } })); }";
    const environment = {
      SERVICE_PLUGINS: await pluginFile('loops', plugin('loops', racks)),
      SERVICE_PLUGIN_TIMEOUT_SECONDS: '1',
      SERVICE_HTTP_PORT: '0',
    };
    await new Promise<void>((resolve) => {
      const child = execFile(program, ['user', 'add', 'olga', '--role', 'all', '--password-stdin'], optionsOf({}), () =>
        resolve(),
      );
      child.stdin?.end('correct horse battery\n');
    });
    const service = spawn(program, ['serve'], optionsOf(environment));
    try {
      let said = '';
      const address = await new Promise<string>((resolve) => {
        const listen = (text: Buffer): void => {
          said += text;
          const [, found] = /Muster serves (\S+)/.exec(said) ?? [];
          if (found !== undefined) resolve(found);
        };
        service.stdout.on('data', listen);
        service.stderr.on('data', listen);
      });
      const headers = { authorization: `Basic ${Buffer.from('olga:correct horse battery').toString('base64')}` };
      const ask = (name: string): Promise<Response> =>
        fetch(`${address}/api/v1/inventory/automation/${name}`, { headers, signal: AbortSignal.timeout(30_000) });

      const stuck = await Promise.all([ask('racks'), ask('racks'), ask('racks'), ask('racks')]);
      expect(stuck.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
      expect(await stuck[0]?.json()).toMatchObject({
        message: expect.stringMatching(
          /^plugin loops did not give control back for \d seconds .*left out until the service starts again$/,
        ),
      });
      expect((await ask('racks')).status).toBe(404);
      expect((await ask('automation')).status).toBe(200);
      expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({ broken_plugins: ['loops'] });
    } finally {
      service.kill('SIGTERM');
      await once(service, 'close');
    }
  });
});
