import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath, whyNot } from './install.ts';
import { endProcess, isRunning } from './processes.ts';
import type { Recipe, Running } from './recipe.ts';
import { RECIPES } from './recipes.ts';

const HELP = `Usage: npm run servers [-- <name> [start|stop]]

Starts real servers on the loopback, to look at what the tests of sources and targets use. What is missing is installed
(Debian's packages, as root). Each stores below ${home()} until it is stopped.

  npm run servers                     list them, and which run
  npm run servers <name>              start one, and print its address, user, password, certificates
  npm run servers <name> stop         stop it, and remove what it stored
`;

/** Does what the arguments say; answers the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [name = 'list', action = 'start', ...more] = args;
  const recipe = RECIPES.find((one) => one.name === name);
  if (name === 'list' && args.length <= 1) await list();
  else if (recipe !== undefined && more.length === 0 && action === 'start') return start(recipe);
  else if (recipe !== undefined && more.length === 0 && action === 'stop') await stop(recipe);
  else {
    process.stderr.write(`${HELP}\nServers: ${RECIPES.map((one) => one.name).join(', ')}\n`);
    return name === '--help' ? 0 : 2;
  }
  return 0;
}

/** Elsewhere than in the checkout: servers that are another user must be able to enter it. */
function home(): string {
  return process.env.SERVERS_HOME ?? join(tmpdir(), 'muster-servers');
}

function stateFile(recipe: Recipe): string {
  return join(home(), `${recipe.name}.json`);
}

async function stateOf(recipe: Recipe): Promise<Running | undefined> {
  const text = await readFile(stateFile(recipe), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Running);
}

function runs({ processes }: Running): boolean {
  return processes.every(({ pid }) => isRunning(pid));
}

async function list(): Promise<void> {
  for (const recipe of RECIPES) {
    const state = await stateOf(recipe);
    const isThere = recipe.programs.every((program) => programPath(program) !== undefined);
    const found = isThere ? 'installed' : 'not installed';
    const word = state !== undefined && runs(state) ? 'runs' : found;
    process.stdout.write(`${recipe.name.padEnd(12)}${word.padEnd(15)}${recipe.about}\n`);
  }
}

async function start(recipe: Recipe): Promise<number> {
  const known = await stateOf(recipe);
  if (known !== undefined && runs(known)) {
    show(known);
    return 0;
  }
  if (known !== undefined) await stop(recipe);
  const reason = await whyNot(recipe);
  if (reason !== undefined) {
    process.stderr.write(`${recipe.name} cannot be started: ${reason}\n`);
    return 1;
  }
  const folder = join(home(), recipe.name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const path of [home(), folder]) await chmod(path, 0o755);
  const running = await recipe.start(folder);
  await writeFile(stateFile(recipe), JSON.stringify(running), { mode: 0o600 });
  show(running);
  return 0;
}

function show({ facts }: Running): void {
  const width = Math.max(16, ...Object.keys(facts).map((name) => name.length + 2));
  for (const [name, value] of Object.entries(facts)) process.stdout.write(`${name.padEnd(width)}${value}\n`);
}

async function stop(recipe: Recipe): Promise<void> {
  const state = await stateOf(recipe);
  for (const one of state?.processes ?? []) await endProcess(one);
  await rm(join(home(), recipe.name), { recursive: true, force: true });
  await rm(stateFile(recipe), { force: true });
}
