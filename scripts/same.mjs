#!/usr/bin/env node
// Proves that a change of structure changes nothing that others see: `npm run same -- <revision>` builds the revision and the working
// tree, has both answer the same questions over the same data, and prints what differs. With `--hosts 1000` the made hosts are fewer.
// Ends with 1 where an answer differs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, note, root, SetupError, stream } from './report.mjs';
import { answersOf } from './same/answers.mjs';

const LINES_SHOWN = 5;

/** A checkout of the revision that is built; packages are shared where the lock file names the same ones. */
async function builtCheckout(revision, folder) {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, revision], { cwd: root, stdio: 'inherit' });
  const lock = (place) => readFileSync(join(place, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await built(folder);
}

async function built(folder) {
  const script = existsSync(join(folder, 'node_modules')) ? 'build.mjs' : 'setup.mjs';
  const code = await stream(process.execPath, [join(folder, 'scripts', script)], { cwd: folder });
  if (code !== 0) throw new SetupError(`${folder} does not build.`);
}

function report(before, after) {
  let different = 0;
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [earlier = '(no answer)', later = '(no answer)'] = [before.get(name), after.get(name)];
    if (earlier === later) continue;
    different += 1;
    console.log(`\n${name}`);
    for (const line of firstDifferences(earlier.split('\n'), later.split('\n'))) console.log(`  ${line.slice(0, 300)}`);
  }
  console.log(`\n${before.size} answers, ${different} different`);
  return different;
}

/** The first lines that only one of them has. */
function firstDifferences(before, after) {
  const lines = (mine, others, sign) => {
    const known = new Set(others);
    return mine
      .filter((line) => !known.has(line))
      .slice(0, LINES_SHOWN)
      .map((line) => `${sign} ${line}`);
  };
  const found = [...lines(before, after, '-'), ...lines(after, before, '+')];
  return found.length > 0 ? found : ['the same lines in another order, or a line more than once'];
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { hosts: { type: 'string', default: '100000' } },
    allowPositionals: true,
  });
  const [revision] = positionals;
  if (revision === undefined) throw new SetupError('Name the revision to compare with: npm run same -- HEAD');
  const place = mkdtempSync(join(tmpdir(), 'muster-same-'));
  const earlier = join(place, 'program');
  try {
    await built(root);
    await builtCheckout(revision, earlier);
    const options = { hosts: Number(values.hosts), names: earlier };
    note(`Asking ${revision}`);
    const before = await answersOf(earlier, options);
    note('Asking the working tree');
    const after = await answersOf(root, options);
    if (report(before, after) > 0) process.exitCode = 1;
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', earlier], { cwd: root });
    rmSync(place, { recursive: true, force: true });
  }
}

main().catch(fail);
