// Starts the oracle: a database server, the product in a folder of its own, and its web server. Ends only what it started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { prepareEnvironment, pythonOf } from '../../scripts/python.mjs';
import { root, SetupError, step } from '../../scripts/report.mjs';

const environment = join(root, '.oracle', 'venv');
const python = pythonOf(environment);
const programs = join(root, 'test/oracle/python');
const launcher = join(root, 'test/support/mongodb_server.py');
const databaseName = 'oracle';

/** The key that passwords of the fixtures are encrypted with. It protects nothing. */
const throwAwayKey = 'b3JhY2xlLW9yYWNsZS1vcmFjbGUtb3JhY2xlLW9yYWM=';

export function prepareOracle() {
  return prepareEnvironment(
    environment,
    'test/oracle/requirements.txt',
    'Installing the oracle into .oracle (half a minute)',
  )();
}

/** Starts a program that ends when its standard input closes, and waits until it says that it listens. */
async function startServer(args, options, listening) {
  const child = spawn(python, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const port = await new Promise((resolve, reject) => {
    let said = '';
    const hear = (text) => {
      said = (said + text).slice(-20_000);
      const found = listening.exec(said)?.[1];
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', reject);
    child.once('exit', () => reject(new SetupError(`${args[0]} did not start.\n\n${said}`)));
  });
  return {
    port,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

/** What imports of the oracle read: parts of the real data that the project has. */
function writeSources(folder) {
  const nodes = readFileSync(join(root, 'sample/wikimedia-nodes.csv'), 'utf8').split('\n');
  const some = nodes.filter((line, number) => number === 0 || (line !== '' && (number <= 12 || number % 14 === 1)));
  writeFileSync(join(folder, 'nodes.csv'), `${some.join('\n')}\n`);
  writeFileSync(join(folder, 'all-nodes.csv'), nodes.join('\n'));
  const devices = JSON.parse(readFileSync(join(root, 'src/plugins/json/fixtures/netbox-devices.json'), 'utf8')).results;
  const named = devices.filter(({ name }) => name !== null);
  writeFileSync(join(folder, 'devices.json'), JSON.stringify({ results: named.slice(0, 25) }));
  writeFileSync(join(folder, 'all-devices.json'), JSON.stringify({ results: named }));
  const pairs = [
    { host: 'pair', names: ['pair-a.example.net', 'pair-b.example.net'], site: 'codfw' },
    { host: 'one', names: 'one.example.net' },
    { host: 'none', names: [] },
  ];
  writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
  writeFileSync(join(folder, 'hosts.yml'), 'all:\n  hosts: [yml-a.example.net]\n  vars:\n    site: codfw\n');
  writeFileSync(join(folder, 'child.csv'), 'host;site\nchild.example.net;codfw\n');
}

/**
 * Starts everything, with an empty database. With `now` the oracle's clock stands there, its ids are counted and its ciphers hold
 * no chance, so that a second recording equals the first.
 */
export async function startOracle({ now, port } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-oracle-'));
  const stops = [() => rmSync(folder, { recursive: true, force: true })];
  const running = new Set();
  const close = async () => {
    for (const child of running) child.kill();
    for (const stop of stops.toReversed()) await stop();
  };
  try {
    const storage = join(folder, 'database');
    mkdirSync(storage);
    const database = await startServer(
      [launcher, storage, '--host', '127.0.0.1', '--port', '0', '--standalone'],
      { cwd: folder, env: cleanEnvironment() },
      /listening on 127\.0\.0\.1:(\d+)/,
    );
    stops.push(() => database.stop());
    const home = join(folder, 'home');
    mkdirSync(home);
    writeSources(home);
    writeFileSync(
      join(home, 'local_config.py'),
      `config = {'SECRET_KEY': 'throw-away', 'CRYPTOGRAPHY_KEY': '${throwAwayKey}', 'CMDB_MODE': True, 'REQUIRE_HTTPS': False}\n`,
    );
    const client = await MongoClient.connect(`mongodb://127.0.0.1:${database.port}/?directConnection=true`);
    stops.push(() => client.close());

    let steps = 0;
    const env = (instant, more = {}) => ({
      ...cleanEnvironment(),
      // Its log has local times: another zone than UTC shows where that matters.
      TZ: 'Europe/Berlin',
      config: 'prod',
      CMDBSYNCER_CONFIG_DIR: home,
      CMDBSYNCER_MONGODB_HOST: '127.0.0.1',
      CMDBSYNCER_MONGODB_PORT: database.port,
      CMDBSYNCER_MONGODB_DB: databaseName,
      ...(instant ? { ORACLE_NOW: instant, ORACLE_STEP: String(++steps) } : {}),
      ...more,
    });

    /** Runs a program of this folder to its end and answers what it printed. */
    async function run(program, args, { at = now, mayFail = false } = {}) {
      const child = spawn(python, [join(programs, program), ...args], {
        cwd: home,
        env: env(at, { CMDBSYNCER_CLI: '1' }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      let output = '';
      let errors = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        errors += text;
      });
      const [code] = await once(child, 'close');
      running.delete(child);
      if (code !== 0 && !mayFail) throw new SetupError(`${program} ${args.join(' ')} failed.\n\n${output}\n${errors}`);
      return { code, output, errors };
    }

    return {
      home,
      close,
      run,
      command: (...args) => run('command.py', args),
      /** Drops what it remembers of rendered hosts: it serves one project's variables to another otherwise. */
      forget: () =>
        client
          .db(databaseName)
          .collection('host')
          .updateMany({}, { $set: { cache: {} } }),
      async serve({ at = now } = {}) {
        const server = await startServer(
          [join(programs, 'server.py')],
          { cwd: home, env: env(at, { CMDBSYNCER_CLI: '0', ORACLE_PORT: String(port ?? 0) }) },
          /listening on (\d+)/,
        );
        stops.push(() => server.stop());
        return { url: `http://127.0.0.1:${server.port}`, stop: server.stop };
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** With a seed of its own each run would put what it keeps in sets into another order. */
function cleanEnvironment() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(PYTHON|VIRTUAL_ENV$|SERVICE_|CMDBSYNCER_|ORACLE_|TZ$|config$)/.test(name),
  );
  return { ...Object.fromEntries(own), LC_ALL: 'C.UTF-8', PYTHONUNBUFFERED: '1', PYTHONHASHSEED: '0', COLUMNS: '200' };
}

/** The worlds, and the commands that import hosts into them. */
export const importsOf = {
  everything: [
    ['csv', 'import_hosts', 'csv'],
    ['json', 'import_hosts', 'json'],
    ['json', 'import_hosts', 'pairs'],
  ],
  thousand: [
    ['csv', 'import_hosts', 'nodes'],
    ['json', 'import_hosts', 'devices'],
  ],
};

/** Puts a world into the oracle: its own documents, and what its own commands import. */
export async function fill(oracle, world) {
  await step(`Making the documents of ${world}`, async () => {
    await oracle.run('fill.py', [world, 'before']);
    for (const words of importsOf[world]) await oracle.command(...words);
    await oracle.run('fill.py', [world, 'after']);
  });
}

/** Keeps a copy of a file that the oracle wrote. */
export function keep(oracle, name, target) {
  cpSync(join(oracle.home, name), target);
}
