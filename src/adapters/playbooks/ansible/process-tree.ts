import { readdir, readFile } from 'node:fs/promises';

/** A process by its number and its start, because numbers are given again. */
export interface KnownProcess {
  readonly pid: number;
  readonly start: string;
}

interface Status extends KnownProcess {
  readonly parent: number;
}

/**
 * Every process below this one. Ansible puts its workers into sessions of their own, where no signal to the group of the main
 * process reaches them. Empty where the system has no /proc.
 */
export async function descendantsOf(pid: number): Promise<readonly KnownProcess[]> {
  const children = new Map<number, Status[]>();
  for (const status of await allProcesses()) {
    const siblings = children.get(status.parent);
    if (siblings === undefined) children.set(status.parent, [status]);
    else siblings.push(status);
  }
  const found: KnownProcess[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const child of children.get(parent) ?? []) {
      found.push({ pid: child.pid, start: child.start });
      parents.push(child.pid);
    }
  }
  return found;
}

/** Whether that very process still runs. */
export async function isRunning({ pid, start }: KnownProcess): Promise<boolean> {
  return (await statusOf(pid))?.start === start;
}

async function allProcesses(): Promise<readonly Status[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isSafeInteger(pid) && pid > 0);
  const all = await Promise.all(pids.map(statusOf));
  return all.filter((status) => status !== undefined);
}

async function statusOf(pid: number): Promise<Status | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything; state, parent and the start follow behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    return { pid, parent: Number(fields[1]), start: fields[19] ?? '' };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}
