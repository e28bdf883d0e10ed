import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from '../ports/index.ts';

/**
 * This process by machine, process number and start. A number says nothing on another machine, after a restart of this one or
 * in another container, so the machine is its current boot and the namespace of process numbers, where there are such things.
 */
export function processIdentity(): ProcessIdentity {
  const machine = machineName();
  const name = `${machine}/${process.pid}/${startOf(process.pid) ?? ''}`;
  return {
    name,
    isDead(other) {
      const [otherMachine, pidText = '', start = ''] = other.split('/');
      const pid = Number(pidText);
      if (otherMachine !== machine || !Number.isSafeInteger(pid) || pid <= 0) return false;
      if (!isRunning(pid)) return true;
      // The number was given to another process meanwhile.
      const now = startOf(pid);
      return now !== undefined && start !== '' && now !== start;
    },
  };
}

function machineName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}.${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    return hostname().replaceAll('/', '_');
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

/** When a process started, in ticks since the boot; `undefined` where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything; the start is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
