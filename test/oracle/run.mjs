#!/usr/bin/env node
// `npm run oracle`: the product that existing installations run, for comparison. See README.md beside this file.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { bold, dim, fail, note, root, SetupError, step } from '../../scripts/report.mjs';
import { exportToNetBox } from './netbox.mjs';
import { fill, importsOf, prepareOracle, startOracle } from './oracle.mjs';
import { password, recordEverything, recordGaps, recordRequests, recordThousand } from './record.mjs';

const usage = `Usage: npm run oracle [-- COMMAND]

Runs cmdbsyncer 4.4.0, the product whose installations move to Muster, filled with documents of every type it has.
Everything is installed below .oracle, and listens on the loopback only.

Commands:
  serve [--port N] [--world everything|thousand]
                     start it and keep it until Ctrl-C (without a command, this)
  record [--world everything|thousand]
                     fill it, ask it everything, and write test/fixtures/cmdbsyncer-4.4.0 and test/oracle/rule-types.json anew
  compare [--world everything|thousand]
                     the same, but only say what differs from the fixtures; ends with 1 if something does
  netbox --address URL --token TOKEN --export FILE [--hosts N]
                     make N hosts (100) with rules for NetBox, export them to the NetBox there, which must be empty, and write
                     to FILE what an installation gives away when it moves
  install            only install it`;

const fixtures = join(root, 'test/fixtures/cmdbsyncer-4.4.0');
const facts = join(root, 'test/oracle/rule-types.json');
/** The oracle's clock stands here while it is recorded. */
const now = '2026-11-02T10:30:00Z';
const later = '2026-11-05T10:30:00Z';

/** Works with an oracle that is ended in every case, also when somebody has seen enough. */
async function withOracle(options, work) {
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('stopped'));
  });
  const oracle = await startOracle(options);
  try {
    return await Promise.race([work(oracle, stopped), stopped]);
  } finally {
    await oracle.close();
  }
}

async function recordWorld(world, work) {
  const end = await withOracle({ now }, async (oracle) => {
    await fill(oracle, world);
    await work(oracle);
  });
  if (end === 'stopped') throw new SetupError('It was interrupted: the recording is not whole.');
}

async function record(folder, factsFile, world) {
  if (world !== 'thousand') {
    await recordWorld('everything', async (oracle) => {
      await oracle.run('describe.py', [factsFile]);
      await recordEverything(oracle, join(folder, 'everything'), { later });
    });
    await recordWorld('everything', async (oracle) => {
      await recordRequests(oracle, join(folder, 'everything'));
      await recordGaps(oracle, join(folder, 'everything'));
    });
  }
  if (world !== 'everything') {
    await recordWorld('thousand', (oracle) => recordThousand(oracle, join(folder, 'thousand')));
  }
}

/** Packers of other machines write other bytes for the same text. */
function contentOf(path) {
  const content = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(content) : content;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith('.md'))
    .sort();
}

async function compare(world) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-recording-'));
  try {
    await record(join(folder, 'fixtures'), join(folder, 'rule-types.json'), world);
    const names = [...new Set([...filesOf(fixtures), ...filesOf(join(folder, 'fixtures'))])];
    const pairs = names
      .filter((name) => world === undefined || name.startsWith(join(world, '/')))
      .map((name) => [join(fixtures, name), join(folder, 'fixtures', name)]);
    if (world !== 'thousand') pairs.push([facts, join(folder, 'rule-types.json')]);
    const different = pairs.filter(
      ([kept, made]) => !existsSync(kept) || !existsSync(made) || !contentOf(kept).equals(contentOf(made)),
    );
    for (const [kept] of different) note(`differs: ${relative(root, kept)}`);
    if (different.length > 0) process.exitCode = 1;
    else note(`all ${pairs.length} files are what the oracle answers`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serve(port, world) {
  await withOracle({ port }, async (oracle, stopped) => {
    await fill(oracle, world);
    const server = await step('Starting its web server', () => oracle.serve());
    console.log(
      `\n${bold(server.url)}   ${dim(`pages: olga@example.net, REST: olga, password for both: ${password}`)}`,
    );
    note(`its folder: ${oracle.home}`);
    note('Ctrl-C ends it and removes everything that it stored');
    await stopped;
  });
}

async function netbox({ address, token, export: target, hosts }) {
  if (address === undefined || token === undefined || target === undefined) throw new SetupError(usage);
  await withOracle({}, (oracle) =>
    exportToNetBox(oracle, { address, token, hosts: Number(hosts), target: resolve(target) }),
  );
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        port: { type: 'string' },
        world: { type: 'string', default: 'everything' },
        address: { type: 'string' },
        token: { type: 'string' },
        export: { type: 'string' },
        hosts: { type: 'string', default: '100' },
      },
    });
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${usage}`);
  }
}

async function main() {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(usage);
  const [command = 'serve', ...more] = positionals;
  const commands = {
    serve: () => serve(values.port === undefined ? undefined : Number(values.port), values.world ?? 'everything'),
    record: () => record(fixtures, facts, values.world),
    compare: () => compare(values.world),
    netbox: () => netbox(values),
    install: async () => {},
  };
  const isKnown = Object.hasOwn(commands, command) && Object.hasOwn(importsOf, values.world ?? 'everything');
  if (!isKnown || more.length > 0) throw new SetupError(usage);
  console.log(bold('Oracle'));
  await prepareOracle();
  await commands[command]();
}

main().catch(fail);
