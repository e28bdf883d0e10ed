#!/usr/bin/env node
// `npm test`: gets what the tests need, runs every kind of test and adds up their results. The last line is the sum.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeCatalogue } from './catalogue.mjs';
import { prepareChromium } from './chromium.mjs';
import { preparePostgresql } from './postgresql.mjs';
import { preparePython } from './python.mjs';
import { bold, capture, fail, green, red, root, SetupError, seconds, stream } from './report.mjs';
import { setup } from './setup.mjs';

const usage = `Usage: npm test [-- --only PARTS [arguments for those parts]]

PARTS is one of types, pages, lint, unused, vitest, e2e, or several of them with commas. What follows goes to their programs:

  npm test -- --only vitest test/app -t 'stale hosts'
  npm test -- --only e2e e2e/api/hosts.spec.ts
  npm test -- --only types,lint`;

/** Results, and every temporary file of the tests, so that a run leaves none behind. Database servers, which have a user of their own, look into it. */
const results = mkdtempSync(join(tmpdir(), 'muster-test-'));
chmodSync(results, 0o755);
const readResult = (name) => JSON.parse(readFileSync(join(results, name), 'utf8'));

// Several checkers ask for the same types again: one takes a third of the processor time and of the memory of the four that are the default.
const oneChecker = ['--checkers', '1'];

// Each part: what runs, and how its result is read once it has run. A part without `totals` counts as one test.
const parts = {
  types: {
    title: 'Types',
    needsPackagesOnly: true,
    program: 'typescript/bin/tsc',
    args: ['--noEmit', ...oneChecker, '--pretty', String(Boolean(process.stdout.isTTY))],
  },
  pages: {
    title: 'Types of the admin interface',
    needsPackagesOnly: true,
    program: 'typescript/bin/tsc',
    args: [
      '--noEmit',
      ...oneChecker,
      '--project',
      'src/adapters/admin/pages',
      '--pretty',
      String(Boolean(process.stdout.isTTY)),
    ],
  },
  lint: {
    title: 'Lint and format',
    needsPackagesOnly: true,
    program: '@biomejs/biome/bin/biome',
    args: ['ci', '--diagnostic-level=warn', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`, '.'],
  },
  unused: {
    title: 'Files, exports and packages that nobody uses',
    needsPackagesOnly: true,
    program: 'knip/bin/knip.js',
    args: ['--no-progress', '--treat-config-hints-as-errors'],
  },
  vitest: {
    title: 'Unit, contract, property and architecture tests',
    program: 'vitest/vitest.mjs',
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(results, 'vitest.json')}`],
    totals() {
      const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = readResult('vitest.json');
      return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
    },
  },
  e2e: {
    title: 'End-to-end tests',
    program: '@playwright/test/cli.js',
    args: ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, 'e2e.json') },
    totals() {
      const { expected, flaky, unexpected, skipped } = readResult('e2e.json').stats;
      return { passed: expected + flaky, failed: unexpected, skipped };
    },
  },
};

function readArguments() {
  const { tokens } = parseArgs({ strict: false, tokens: true, allowPositionals: true });
  const first = tokens[0];
  if (!first) return { chosen: Object.keys(parts), more: [] };
  if (first.kind !== 'option' || first.name !== 'only') throw new SetupError(usage);
  const [value, more] = first.inlineValue
    ? [first.value, process.argv.slice(3)]
    : [process.argv[3] ?? '', process.argv.slice(4)];
  const chosen = value.split(',');
  if (!chosen.every((name) => Object.hasOwn(parts, name))) throw new SetupError(usage);
  return { chosen, more };
}

function environment(part) {
  // A developer's own configuration must not decide a test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_')));
  // Several of the tools colour their output wherever CI is set, even in a file.
  if (!process.stdout.isTTY && !env.FORCE_COLOR) env.NO_COLOR = '1';
  return { ...env, TMPDIR: results, ...part.env };
}

async function runPart(part, run) {
  const started = performance.now();
  const code = await run();
  const result = { title: part.title, passed: 0, failed: 0, skipped: 0 };
  if (part.totals) {
    try {
      Object.assign(result, part.totals());
    } catch {
      console.error(`${part.title}: ended without a result.`);
      result.failed = 1;
    }
  } else if (code === 0) {
    result.passed = 1;
  }
  // A file that cannot be loaded or an error outside of any test fails the run without a failed test.
  if (code !== 0 && result.failed === 0) result.failed = 1;
  return { ...result, time: performance.now() - started };
}

const commandOf = (part, more) => [join(root, 'node_modules', part.program), ...part.args, ...more];

/** Runs a part before the eyes of whoever waits. */
function showPart(part, more) {
  console.log(`\n${bold(part.title)}`);
  return runPart(part, () => stream(process.execPath, commandOf(part, more), { env: environment(part) }));
}

/** Runs the parts one after the other; each prints what it has to say when it is shown. */
function runQuietly(names, more) {
  const shown = new Map();
  let before = Promise.resolve();
  for (const name of names) {
    const part = parts[name];
    let said = '';
    const result = before.then(() =>
      runPart(part, async () => {
        const { code, output } = await capture(process.execPath, commandOf(part, more), { env: environment(part) });
        said = output;
        return code;
      }),
    );
    before = result;
    shown.set(name, async () => {
      const row = await result;
      console.log(`\n${bold(part.title)}`);
      if (said !== '') console.log(said);
      return row;
    });
  }
  return shown;
}

/** Answers the parts that run already: those that need the packages only begin beside the compiler of the database driver. */
async function prepare(chosen, more) {
  console.log(bold('Setup'));
  const pythonIsReady = chosen.includes('vitest') || chosen.includes('e2e') ? preparePython() : async () => {};
  const databaseIsReady = chosen.includes('vitest') ? preparePostgresql() : async () => {};
  const browserIsReady = chosen.includes('e2e') ? prepareChromium() : async () => undefined;
  let running = new Map();
  await setup(async () => {
    await writeCatalogue();
    running = runQuietly(
      chosen.filter((name) => parts[name].needsPackagesOnly),
      more,
    );
  });
  await pythonIsReady();
  await databaseIsReady();
  const chromium = await browserIsReady();
  if (chromium !== undefined) parts.e2e.env.CHROMIUM_PATH = chromium;
  return running;
}

async function main() {
  const { chosen, more } = readArguments();
  const rows = [];
  try {
    const running = await prepare(chosen, more);
    for (const name of chosen) rows.push(await (running.get(name)?.() ?? showPart(parts[name], more)));
  } catch (error) {
    fail(error);
    rows.push({ title: 'Setup', passed: 0, failed: 1, skipped: 0, time: 0 });
  }
  console.log('');
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { title, passed, failed, skipped, time } of rows) {
    const mark = failed === 0 ? green('✓') : red('✗');
    console.log(`${mark} ${title}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds(time)})`);
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  if (sum.failed > 0) process.exitCode = 1;
  if (sum.skipped > 0 && !process.env.THOROUGH) console.log('\nTHOROUGH=1 npm test runs what was skipped, too.');
  console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
}

process.on('exit', () => rmSync(results, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
main().catch(fail);
