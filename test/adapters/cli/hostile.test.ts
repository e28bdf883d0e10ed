import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));

const LONG = 'x'.repeat(100_000);

interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-hostile-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function run(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  stdin: string | Uint8Array = '',
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(program, args, optionsOf(environment), (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.on('error', () => undefined).end(stdin);
  });
}

function optionsOf(environment: NodeJS.ProcessEnv) {
  return { cwd: directory, env: { PATH: process.env.PATH, ...environment } };
}

/** One line that says what is wrong, and nothing of where in the program; a database that was made is named before it. */
function expectOneLine({ stderr }: Finished, message: RegExp): void {
  const said = stderr.replace(/^A new database was made: [^\n]+\n/, '');
  expect(said).toMatch(/^(?:muster: [^\n]+|\{"message":[^\n]+\})\n$/);
  expect(said).toMatch(message);
  expect(stderr).not.toMatch(/unexpected fault|geheim|\bat .*:\d+:\d+/);
}

describe('commands on what is stored', () => {
  it.each([
    [
      ['storage', 'migrate', '--from', 'sqlite:typo/muster.db', '--to', 'sqlite:target.db'],
      /there is no database .*typo/,
    ],
    [['storage', 'migrate', '--to', 'sqlite:target.db'], /there is no database .*data\/muster\.db/],
    [['storage', 'check'], /there is no database .*data\/muster\.db/],
    [['storage', 'check', '--fix', '--json'], /there is no database .*data\/muster\.db/],
    [['storage', 'rotate-key'], /there is no database .*data\/muster\.db/],
    [['backup', 'muster.gz'], /there is no database .*data\/muster\.db/],
    [['restore', 'muster.gz'], /the backup .*muster\.gz cannot be read: it does not exist/],
  ])('%j names what is missing and makes nothing', async (args, message) => {
    const finished = await run(args);
    expect([finished.exitCode, finished.stdout]).toEqual([1, '']);
    expectOneLine(finished, message);
    expect(await readdir(directory)).toEqual([]);
  });

  it('a file that is not a backup is refused before a storage is made', async () => {
    await writeFile(join(directory, 'muster.gz'), 'no backup');
    const finished = await run(['restore', 'muster.gz']);
    expect(finished.exitCode).toBe(1);
    expectOneLine(finished, /muster\.gz is not a backup of Muster/);
    expect(await readdir(directory)).toEqual(['muster.gz']);
  });
});

describe('rules of a type whose plugin is not loaded', () => {
  it('are left out of an export that can be imported again, and the error stream says so', async () => {
    await writeFile(
      join(directory, 'racks.mjs'),
      `export default { id: 'racks', apiVersion: 1, register(host) {
        host.ruleType({ id: 'racks', aliases: [], title: 'Racks', description: 'Racks.', keyedBy: 'name', uniqueNames: true,
          conditional: false, exportGroup: 'rules', secretMembers: [], schema: {}, check: () => [] });
      } };`,
    );
    const rules = { racks: [{ name: 'r1' }, { name: 'r2' }], automation_projects: [{ name: 'databases' }] };
    await writeFile(join(directory, 'rules.json'), JSON.stringify({ rules }));
    const withPlugin = { SERVICE_PLUGINS: './racks.mjs' };
    expect(await run(['rules', 'import', 'rules.json'], withPlugin)).toMatchObject({ exitCode: 0 });
    expect((await run(['rules', 'export'], withPlugin)).stderr).toBe('');

    const { exitCode, stdout, stderr } = await run(['rules', 'export']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^warning: .*left out of the export.* leftOut=\{"racks":2\}\n$/);
    expect(JSON.parse(stdout).rules).not.toHaveProperty('racks');
    await writeFile(join(directory, 'export.json'), stdout);
    expect(await run(['rules', 'import', 'export.json'])).toMatchObject({ exitCode: 0 });
    // What nobody knows is kept, but not twice.
    expect(await run(['rules', 'import', 'rules.json'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/racks +0 +2 +0/),
    });
  });
});

describe('an address of a database that cannot work', () => {
  it.each([
    ['', /DATABASE_URL in --database-url: must begin with/],
    ['data/muster.db', /DATABASE_URL in --database-url: must begin with/],
    ['mysql://user:geheim@db/x', /DATABASE_URL in --database-url: must begin with/],
    [
      'postgres://user:geheim@127.0.0.1:1/x',
      /\/\/\*+@127.*:1\/x cannot be opened: The database refuses the connection/,
    ],
    ['sqlite:', /cannot be opened; check that it is a file/],
    ['sqlite:folder', /folder cannot be opened; check that it is a file/],
    ['sqlite:text', /text is not an SQLite database/],
    ['sqlite:text/muster.db', /cannot be opened; check that it is a file/],
    ['sqlite:/proc/nowhere/muster.db', /there is no database/],
    ['mongodb://', /the database mongodb:\/\/ cannot be opened: .* Check DATABASE_URL/],
    ['mongodb://user:ge@heim@db/x', /the database mongodb:\/\/\*+@db\/x cannot be opened: .* Check DATABASE_URL/],
    ['mongodb://user:geheim@127.0.0.1:1/x?nosuch=1', /cannot be opened: option nosuch is not supported/],
    ['mongodb://user:geheim@127.0.0.1:1/x?serverSelectionTimeoutMS=200', /\/\/\*+@127.*=200 .*does not answer/],
  ])('%s is named, with what to check', async (url, message) => {
    await mkdir(join(directory, 'folder'));
    await writeFile(join(directory, 'text'), 'no database, but a text of some length that is none');
    const finished = await run(['host', 'list', '--database-url', url]);
    expect([finished.exitCode, finished.stdout]).toEqual([1, '']);
    expectOneLine(finished, message);
  });
});

describe('a configuration that cannot work', () => {
  it.each([
    ['local_config.yaml', 'a: [', /local_config\.yaml cannot be understood: Flow sequence/],
    ['local_config.yaml', 'HTTP_PORT: many', /bad value of HTTP_PORT in .*local_config\.yaml: must be a number/],
    ['local_config.yaml', '- 1', /local_config\.yaml must have keys and values/],
    ['local_config.json', '{"HTTP_PORT":', /local_config\.json cannot be understood: /],
    ['local_config.py', 'x = f()', /local_config\.py cannot be understood: line 1 /],
  ])('in %s (%s) is named with its file', async (name, content, message) => {
    await writeFile(join(directory, name), content);
    const finished = await run(['host', 'list']);
    expect(finished.exitCode).toBe(1);
    expectOneLine(finished, message);
  });

  it.each(['nowhere', 'text'])('in the directory %s, which is none, is named', async (name) => {
    await writeFile(join(directory, 'text'), '');
    const finished = await run(['host', 'list'], { SERVICE_CONFIG_DIR: name });
    expect(finished.exitCode).toBe(1);
    expectOneLine(finished, /SERVICE_CONFIG_DIR names .*, which is not a directory/);
  });

  it('of the key names the file that cannot be used', async () => {
    await writeFile(join(directory, 'text'), '');
    const args = ['account', 'add', 'lab', '--type', 'csv', '--set', 'path=hosts.csv', '--password-stdin'];
    const finished = await run(args, { SERVICE_INSTANCE_KEY_FILE: 'text/key' }, 'secret\n');
    expect(finished.exitCode).toBe(1);
    expectOneLine(finished, /the instance key file .*text\/key cannot be used/);
  });
});

describe('a wrong argument', () => {
  it.each([
    [1, ['rules', 'import', 'folder'], /^muster: folder cannot be read: it is a directory/],
    [
      1,
      ['rules', 'import', 'text/rules.json'],
      /^muster: text\/rules\.json cannot be read: the directory does not exist/,
    ],
    [1, ['rules', 'import', 'binary'], /not UTF-8 text/],
    [
      1,
      ['rules', 'import', 'lines'],
      /neither JSON nor JSON lines; nothing was imported: Unexpected token .* is not valid JSON/,
    ],
    [2, ['storage', 'migrate', '--to', 'memory:'], /memory: would be gone/],
    [1, ['restore', 'folder'], /folder cannot be read: it is a directory/],
    [1, ['account', 'add', '', '--type', 'csv'], /^muster: name: must not be empty/],
    [1, ['account', 'add', 'a\u0007b', '--type', 'csv'], /^muster: name: must not contain control characters/],
    [2, ['user', 'add', 'ute', '--role', 'objekts'], /There is no role objekts; there are all, objects, rules/],
    [1, ['--log-level', 'error', 'serve', '--http-port', '0', '--http-host', 'nowhere.invalid'], /check HTTP_HOST/],
    [2, ['storage', 'migrate', '--to', ''], /--to is empty/],
  ])('exits %i: %j', async (exitCode, args, message) => {
    await mkdir(join(directory, 'folder'));
    await writeFile(join(directory, 'text'), '');
    await writeFile(join(directory, 'lines'), 'host,site\nweb01,eqiad\n');
    await writeFile(join(directory, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    const finished = await run(args);
    expect([finished.exitCode, finished.stdout]).toEqual([exitCode, '']);
    expectOneLine(finished, message);
  });

  it.each([
    [1, ['host', 'show', LONG]],
    [2, [LONG]],
    [2, ['host', 'list', `--${LONG}`]],
  ])('of a hundred thousand letters is not repeated as a whole (exit %i)', async (exitCode, args) => {
    await run(['account', 'add', 'lab', '--type', 'api']);
    const finished = await run(args);
    expect(finished.exitCode).toBe(exitCode);
    expectOneLine(finished, /xxx …/);
    expect(finished.stderr.length).toBeLessThan(3_000);
  });
});

describe('a secret on the standard input', () => {
  it.each([
    [Buffer.from([0x70, 0xff, 0x0a]), /not UTF-8 text/],
    [Buffer.alloc(1_000_000, 'x'), /too long for a secret/],
    [Buffer.from('\nsecond line\n'), /has no password/],
    [Buffer.alloc(0), /has no password/],
  ])('that is none is refused (%#)', async (stdin, message) => {
    const finished = await run(['user', 'add', 'ute', '--password-stdin'], {}, stdin);
    expect([finished.exitCode, finished.stdout]).toEqual([1, '']);
    expectOneLine(finished, message);
  });

  it('is the first line, whoever still writes behind it', async () => {
    const child = spawn(program, ['user', 'add', 'ute', '--password-stdin', '--json'], optionsOf({}));
    child.stdin.on('error', () => undefined).write('correct horse battery\r\nsecond line');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});

it('a working directory that is gone is named', async () => {
  const gone = join(directory, 'gone');
  await mkdir(gone);
  const script = `cd "${gone}" && rmdir "${gone}" && exec "${program}" host list`;
  const finished = await new Promise<Finished>((resolve) => {
    const child = execFile('sh', ['-c', script], optionsOf({}), (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
  });
  expect([finished.exitCode, finished.stdout]).toEqual([1, '']);
  expectOneLine(finished, /the working directory does not exist any more/);
});

describe('a source that hangs', () => {
  beforeEach(async () => {
    await writeFile(
      join(directory, 'stuck.mjs'),
      `import { z } from 'muster/plugin-api';
      async function* read() {
        yield [{ kind: 'record', position: 'record 1', hostname: 'h1', labels: {} }];
        console.error('hanging');
        await new Promise(() => setInterval(() => undefined, 1000));
      }
      export default { id: 'stuck', apiVersion: 1, register(host) {
        host.source({ id: 'stuck', title: 'Stuck', description: 'Stuck.', options: z.strictObject({}), open: () => ({ read }) });
      } };`,
    );
    await run(['account', 'add', 'lab', '--type', 'stuck'], { SERVICE_PLUGINS: './stuck.mjs' });
  });

  it('does not keep Ctrl-C from ending the import', async () => {
    const child = spawn(program, ['import', 'lab'], optionsOf({ SERVICE_PLUGINS: './stuck.mjs' }));
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      if (String(chunk).includes('hanging')) child.kill('SIGINT');
    });
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(stderr).toContain('muster: stopped.');
  });

  it('fails the import after PLUGIN_TIMEOUT_SECONDS', async () => {
    const environment = { SERVICE_PLUGINS: './stuck.mjs', SERVICE_PLUGIN_TIMEOUT_SECONDS: '0.3' };
    const { exitCode, stderr } = await run(['import', 'lab'], environment);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('import of lab failed: plugin stuck: reading account lab took longer than 0.3 seconds');
  });
});

describe('when the storage does not start', () => {
  const elsewhere = { SERVICE_DATABASE_URL: 'mongodb://127.0.0.1:1/muster?serverSelectionTimeoutMS=200' };

  it('config show works all the same', async () => {
    const { exitCode, stdout } = await run(['config', 'show', '--json'], elsewhere);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ key: 'DATABASE_URL', origin: 'SERVICE_DATABASE_URL' }),
    );
  });

  it('doctor says so beside everything else', async () => {
    const { exitCode, stdout } = await run(['doctor', '--json'], elsewhere);
    expect(exitCode).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; message: string }[] };
    const wrong = findings.filter(({ ok }) => !ok);
    expect(wrong).toEqual([
      { check: 'storage', ok: false, message: expect.stringMatching(/127\.0\.0\.1:1.*does not answer/) },
    ]);
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['instance key', 'plugin csv', 'disk']));
  });

  it('the service does not start with a key file that holds no key', async () => {
    await mkdir(join(directory, 'data'));
    await writeFile(join(directory, 'data', 'instance.key'), 'geheim');
    const finished = await run(['serve'], { SERVICE_HTTP_PORT: '0', SERVICE_LOG_LEVEL: 'warn' });
    expect([finished.exitCode, finished.stdout]).toEqual([1, '']);
    expectOneLine(finished, /instance key of .*instance\.key must be 32 bytes/);
  });
});
