import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Workplace } from '../../support/workplace.ts';

/** What the work of all nodes notes, a line each: `begin`, `cut` or `end`, what it is, and the process; and `kill` of a process. */
export const NOTES = 'notes.txt';

/** Jobs of cron groups. The last one lasts long. */
export const JOBS = ['A', 'B', 'C'];
export const LONG_JOB = 'Long';

/** Jobs, and a source whose account is read for a while. Both note what they do. */
const PLUGIN = `import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, z } from 'muster/plugin-api';

const note = (text) => appendFile('${NOTES}', text + ' ' + process.pid + '\\n');

async function noted(name, milliseconds, signal) {
  await note('begin ' + name);
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    await note('cut ' + name);
    throw error;
  }
  await note('end ' + name);
}

export default definePlugin({
  id: 'noted-work',
  apiVersion: 2,
  register(host) {
    for (const id of ${JSON.stringify([...JOBS, LONG_JOB])}) {
      host.job({
        id,
        aliases: [],
        description: 'Notes that it ran',
        account: 'none',
        async run({ signal }) {
          await noted(id, id === '${LONG_JOB}' ? 40_000 : 300, signal);
          return { message: 'noted' };
        },
      });
    }
    host.source({
      id: 'noted',
      title: 'Noted',
      description: 'Notes that it is read.',
      options: z.strictObject({ fails: z.enum(['no', 'yes']).default('no') }),
      open: ({ fails }, { name }) => ({
        async *read({ signal }) {
          await noted('import:' + name, 100, signal);
          if (fails === 'yes') throw new Error('failure ' + randomUUID());
          yield [{ kind: 'record', position: 'line 1', hostname: name + '-host', labels: {} }];
        },
      }),
    });
  },
});
`;

export async function putNotedWork(place: Workplace): Promise<void> {
  await mkdir(place.path('noted-work'));
  await writeFile(place.path('noted-work/package.json'), '{"type": "module"}\n');
  await writeFile(place.path('noted-work/index.js'), PLUGIN);
}

/** What became of one kind of work. */
interface NotedRuns {
  /** Runs that came to their end. */
  ended: number;
  /** Runs whose process died right after their end, so that they may have been done again. */
  repeatable: number;
  /** Whether so many in a row died with their process that nobody begins them again. */
  wasGivenUp: boolean;
}

export interface FoundNotes {
  /** Work that was begun while it went on elsewhere, or that ended after that. */
  readonly wrong: readonly string[];
  readonly runs: ReadonlyMap<string, NotedRuns>;
  /** The process that runs it now. */
  readonly going: ReadonlyMap<string, string>;
}

/** A run that died so often is not begun again. */
const MOST_ATTEMPTS = 3;

/** Reads the notes: no work goes on twice at once, unless the first process was killed. */
export async function readNotes(place: Workplace): Promise<FoundNotes> {
  const path = place.path(NOTES);
  const lines = existsSync(path) ? (await readFile(path, 'utf8')).split('\n').slice(0, -1) : [];
  const notes = lines.map((line) => line.split(' ') as [string, string, string]);
  const killed = new Set<string>();
  const everKilled = new Set(notes.filter(([what]) => what === 'kill').map(([, , pid]) => pid));
  const wrong: string[] = [];
  const going = new Map<string, string>();
  const runs = new Map<string, NotedRuns>();
  /** How often in a row it died over it. */
  const deaths = new Map<string, number>();
  const last = new Map(notes.map(([, name, pid], place) => [`${name} ${pid}`, place]));
  for (const [place, [what, name, pid]] of notes.entries()) {
    if (what === 'kill') {
      killed.add(pid);
      continue;
    }
    const run = runs.get(name) ?? { ended: 0, repeatable: 0, wasGivenUp: false };
    runs.set(name, run);
    const other = going.get(name);
    if (what === 'begin') {
      if (other !== undefined && !killed.has(other))
        wrong.push(`line ${place + 1}: ${name} was begun by ${pid} beside ${other}`);
      deaths.set(name, other === undefined ? 0 : (deaths.get(name) ?? 0) + 1);
      if ((deaths.get(name) ?? 0) >= MOST_ATTEMPTS - 1) run.wasGivenUp = true;
      going.set(name, pid);
      continue;
    }
    if (other !== pid) wrong.push(`line ${place + 1}: ${name} was ${what} by ${pid}, and ${other} had it`);
    going.delete(name);
    if (what !== 'end') continue;
    run.ended++;
    if (last.get(`${name} ${pid}`) === place && everKilled.has(pid)) run.repeatable++;
  }
  return { wrong, runs, going };
}
