import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import type { ProcessIdentity } from '../ports/index.ts';

/** Longer ones make names too long for files. */
const LONGEST_HOST = 63;

/**
 * Returns this process by machine, process number and start. A number is meaningless on another machine, after a restart of this
 * one or in another container, so the machine is its current boot and the namespace of process numbers, if there are such things.
 * The host is there for people only.
 */
export function processIdentity(): ProcessIdentity {
  const machine = machineName();
  const host = hostname()
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, LONGEST_HOST);
  const name = `${host}@${machine}/${process.pid}/${statusOf(process.pid)?.start ?? ''}`;
  return {
    name,
    isDead(other) {
      const [otherMachine, pidText = '', start = ''] = other.split('/');
      const pid = Number(pidText);
      if (otherMachine?.split('@').at(-1) !== machine || !Number.isSafeInteger(pid) || pid <= 0) return false;
      if (!isRunning(pid)) return true;
      const now = statusOf(pid);
      if (now === undefined) return false;
      // It ended and no process has fetched its exit code, or its number was given to another process in the meantime.
      return now.ended || (start !== '' && now.start !== start);
    },
  };
}

function machineName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}.${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    // Names of machines repeat, their network cards do not.
    const cards = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ mac }) => mac));
    return [hostname(), ...new Set(cards.sort())].join('.').replaceAll('/', '_');
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user runs, although it may not be signalled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Returns when a process started, in ticks since the boot, and whether it has ended; `undefined` if the system does not reveal
 * it.
 */
function statusOf(pid: number): { readonly start: string; readonly ended: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain anything; the start is the 20th field behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? '', ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}
