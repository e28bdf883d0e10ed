import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { processIdentity } from '../../src/adapters/process-identity.ts';

const SOURCE = new URL('../../src/adapters/process-identity.ts', import.meta.url).pathname;
const onLinux = existsSync('/proc/self/stat');

/** A process that says its own name and then waits. */
async function namedProcess(): Promise<{ child: ChildProcess; name: string }> {
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const script = `${outputFiles[0]?.text}\nconsole.log(processIdentity().name); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, name: line.toString().trim() };
}

it('takes nobody for dead who lives: neither itself nor another process', async () => {
  const identity = processIdentity();
  expect(identity.isDead(identity.name)).toBe(false);
  expect(processIdentity().name).toBe(identity.name);
  const { name } = await namedProcess();
  expect(name).not.toBe(identity.name);
  expect(identity.isDead(name)).toBe(false);
  expect(identity.isDead(`${name}/65a1b2c3d4e5f60718293a4b`)).toBe(false);
});

it('knows a process that was killed, by its name and by what it held', async () => {
  const { child, name } = await namedProcess();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const identity = processIdentity();
  expect(identity.isDead(name)).toBe(true);
  expect(identity.isDead(`${name}/65a1b2c3d4e5f60718293a4b`)).toBe(true);
});

it.runIf(onLinux)('knows a dead process whose number another one has now', () => {
  const identity = processIdentity();
  const [machine, pid, start] = identity.name.split('/');
  expect(start).toMatch(/^\d+$/);
  expect(identity.isDead(`${machine}/${pid}/${Number(start) - 1}/x`)).toBe(true);
});

it.runIf(onLinux)('knows a dead process whose exit nobody has noticed', async () => {
  // The shell becomes a program that never fetches the exit code of its child.
  const shell = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const [line] = (await once(shell.stdout, 'data')) as [Buffer];
  const identity = processIdentity();
  const [machine] = identity.name.split('/');
  const name = `${machine}/${line.toString().trim()}/`;
  while (!identity.isDead(name)) await sleep(20);
});

it('says nothing about processes of other machines, and of names that are none', () => {
  const { isDead, name } = processIdentity();
  const [machine, , start] = name.split('/');
  for (const other of [
    `another-machine/999999999/${start}`,
    '',
    '/',
    'x',
    machine,
    `${machine}/`,
    `${machine}/x/${start}`,
    `${machine}/0/${start}`,
    `${machine}/-1/${start}`,
    `${machine}/1.5/${start}`,
  ]) {
    expect(isDead(other ?? ''), other).toBe(false);
  }
});
