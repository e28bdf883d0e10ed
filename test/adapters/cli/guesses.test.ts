import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCalledHere } from '../../../src/adapters/cli/guesses.ts';
import { UsageError } from '../../../src/adapters/cli/usage-error.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

/** What people typed, and what it runs. */
const RUNS: Readonly<Record<string, string>> = {
  version: '--version',
  '-v': '--version',
  '-h': '-h',
  'host show X --json': 'host show X --json',
  'host list --json': 'host list --json',
  'import X --dry-run': 'import X --dry-run',
  status: 'status',
  'inventory --list': 'inventory --list',
  'host history X': 'host history X',
  'completion bash': 'completion bash',
  'doctor --json': 'doctor --json',
  'backup list': 'storage list-backups',
  'backup ls': 'storage list-backups',
  hosts: 'host',
  'runs list': 'run list',
  'host list --search x': 'host list --where x',
  'host explain X --provider y': 'host explain X --project y',
  info: 'status',
  'get hosts': 'host list',
  'describe host X': 'host show X',
  'hosts list': 'host list',
  list: 'host list',
  ls: 'host list',
  accounts: 'account',
  'accounts ls': 'account list',
  users: 'user',
  rule: 'rules',
  'rule ls': 'rules list',
  log: 'logs',
  'account ls': 'account list',
  'host ls': 'host list',
  'rules ls accounts': 'rules list accounts',
  'run ls': 'run list',
  'user ls': 'user list',
  'plan ls': 'plan list',
  'host get X': 'host show X',
  'account get X': 'account show X',
  'explain X': 'host explain X',
  'history X': 'host history X',
  'show X': 'host show X',
  'get X': 'host show X',
  'rules get accounts X': 'rules show accounts X',
  'rules describe accounts X': 'rules show accounts X',
  jobs: 'run list',
  'host describe X': 'host show X',
  'host search site:fra': 'host list --where site:fra',
  'host list web*': 'host list --where web*',
  'host list --filter site:fra': 'host list --where site:fra',
  'host list --filter=site:fra': 'host list --where site:fra',
  'host list -l site=fra': 'host list --where site=fra',
  'config validate': 'config show',
  'cron list': 'cron status',
  'cron ls': 'cron status',
  'plugin list': 'plugins',
  'plugins ls': 'plugins',
  audit: 'logs --audit',
  'logs -f': 'logs --follow',
  'logs -n 5': 'logs --limit 5',
  'logs -n5': 'logs --limit 5',
  'import X -n': 'import X --dry-run',
  'user token ls olga': 'user token list olga',
  'token ls olga': 'user token list olga',
  '--profile prod hosts ls': '--profile prod host list',
  '--data-dir version logs -f': '--data-dir version logs --follow',
};

/** What people typed, and words of the sentence that they get. The first list only looks for something. */
const HINTS: Readonly<Record<string, string>> = {
  whoami: 'profile list',
  diff: 'rules diff',
  open: '/admin',
  docs: '/docs',
  'host count': 'status',
  'host list --count': 'status',
  'host list -o wide': '--columns',
  'config get HTTP_PORT': 'config show',
  'config path': 'config show',
  'rules lint x': 'rules impact',
  'rules validate x': 'rules impact',
  'backup status': 'list-backups',
};
const HINTS_OF_WRITES: Readonly<Record<string, string>> = {
  sync: 'import --all',
  undo: 'run list',
  rollback: 'rules revert',
  uninstall: 'npm uninstall',
  'delete host X': 'host archive',
  logout: 'profile remove',
  server: 'serve',
  start: 'serve',
  'host delete X': 'host archive',
  'host rm X': 'host archive',
  'config set A b': 'local_config.yaml',
  'token create X': 'user token create',
  'account rm X': 'account delete',
  'user create X': 'user add',
  'backup create': 'backup <file>',
  'backup restore X': 'restore <file>',
};
const WRITES =
  /muster (host (set|archive|restore|purge|create|edit)|account (add|set|delete)|import|export|apply|restore|backup|rules (import|apply|edit|remove)|user (add|set|delete))/;

const hintOf = (guess: string): string => {
  try {
    return asCalledHere(guess.split(' ')).join(' ');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
};

describe('a guess', () => {
  it.each(Object.entries(RUNS))('%s runs %s', (guess, runs) => {
    expect(asCalledHere(guess.split(' ')).join(' ')).toBe(runs);
  });

  it.each(Object.entries(HINTS))('%s gets a hint with %s, and none that writes', (guess, words) => {
    expect(hintOf(guess)).toContain(words);
    expect(hintOf(guess)).toMatch(/^there is no (command|option|output) /);
    expect(hintOf(guess)).not.toMatch(WRITES);
  });

  it.each(Object.entries(HINTS_OF_WRITES))('%s gets a hint with %s', (guess, words) => {
    expect(hintOf(guess)).toContain(words);
  });
});

describe('the program', () => {
  let muster: MusterHarness;
  beforeAll(async () => {
    muster = await musterHarness();
  });
  afterAll(() => muster.close());

  it.each([
    'version',
    '-v',
    'help',
    'help import',
    'hosts ls',
    'accounts ls',
    'jobs',
    'audit',
    'cron ls',
    'plugins ls',
    'logs -n 5',
    'host list web*',
    'backup list',
    'user ls',
  ])('%s works', async (guess) => {
    const { exitCode, stderr } = await muster.run(guess.split(' '));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining('muster: ') });
    expect(existsSync(join(muster.directory, 'list'))).toBe(false);
  });

  it.each(['host explode', 'rules reverse', 'user pass', 'hsot', 'cron stats'])(
    '%s is told without a suggestion that begins otherwise',
    async (guess) => {
      const { exitCode, stderr } = await muster.run(guess.split(' '));
      expect(exitCode).toBe(2);
      const near = /Did you mean (?:one of )?(\w)/.exec(stderr)?.[1];
      if (near !== undefined) expect(near).toBe(guess.split(' ').at(-1)?.charAt(0));
    },
  );
});
