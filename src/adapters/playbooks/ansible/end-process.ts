import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, isRunning, type KnownProcess } from './process-tree.ts';

/** How long a process may take to end when it is asked to. A stopping service waits no longer for it. */
const GRACE_MS = 3_000;

/** Ends a process that leads a group of its own, the group, and everything below it: asks first, then forces. */
export async function endProcess(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const below = new Map((await descendantsOf(pid)).map((known) => [known.pid, known]));
  signalGroup(pid, 'SIGTERM');
  const timer = new AbortController();
  await Promise.race([ended, delay(GRACE_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
  // What is still there, and what it started meanwhile.
  for (const known of await descendantsOf(pid)) below.set(known.pid, known);
  for (const known of [...below.values()]) {
    if (!(await isRunning(known))) continue;
    for (const child of await descendantsOf(known.pid)) below.set(child.pid, child);
  }
  signalGroup(pid, 'SIGKILL');
  for (const known of below.values()) await kill(known);
  await ended;
}

async function kill(known: KnownProcess): Promise<void> {
  if (!(await isRunning(known))) return;
  try {
    process.kill(known.pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}
