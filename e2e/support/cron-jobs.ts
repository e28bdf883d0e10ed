import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { Api, basic, PASSWORD } from './api.ts';
import { RunningService } from './running-service.ts';
import type { Workplace } from './workplace.ts';

/** A plugin of jobs that note when they begin and end; `Wait` ends when there is a file `go`. */
const JOBS = `import { appendFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin } from 'muster/plugin-api';

const note = (text) => appendFile('runs.txt', text + '\\n');

export default definePlugin({
  id: 'noted-jobs',
  apiVersion: 1,
  register(host) {
    for (const id of ['A', 'B', 'C', 'D', 'Wait']) {
      host.job({
        id,
        aliases: [],
        description: 'Notes that it ran',
        account: 'none',
        async run({ signal }) {
          await note('begin ' + id);
          if (id === 'Wait') while (!existsSync('go')) await sleep(20, undefined, { signal });
          else await sleep(100);
          await note('end ' + id);
          return { message: 'noted' };
        },
      });
    }
  },
});
`;

export const QUICK_JOBS = ['A', 'B', 'C', 'D'];

/** What processes with these jobs are started with. */
export const JOB_ENVIRONMENT = { SERVICE_PLUGINS: './noted-jobs', SERVICE_CRON_PASS_SECONDS: '1' };

export async function putJobs(place: Workplace): Promise<void> {
  await mkdir(place.path('noted-jobs'));
  await writeFile(place.path('noted-jobs/package.json'), '{"type": "module"}\n');
  await writeFile(place.path('noted-jobs/index.js'), JOBS);
}

/** A group of one job, which runs once and then waits for requests, unless more is said. */
export async function putGroup(place: Workplace, name: string, command: string, members: object = {}): Promise<void> {
  const rule = { name, enabled: true, jobs: [{ name: command, command }], ...members };
  const input = JSON.stringify({ rule_type: 'cron_groups', rules: [rule] });
  await place.done(['rules', 'import', '-', '--override'], { input, environment: JOB_ENVIRONMENT });
}

/** What the jobs noted so far. */
export async function notes(place: Workplace): Promise<readonly string[]> {
  const path = place.path('runs.txt');
  return existsSync(path) ? (await readFile(path, 'utf8')).trimEnd().split('\n') : [];
}

/** Two services on one store are asked to run groups again and again, with commands beside them: each request is one run. */
export async function expectOneRunARequest(place: Workplace): Promise<void> {
  const services = await Promise.all([1, 2].map(() => RunningService.start(place, JOB_ENVIRONMENT)));
  const apis = await Promise.all(services.map(({ url }) => Api.open(url, basic('root', PASSWORD))));
  try {
    const rounds = 4;
    for (let round = 1; round <= rounds; round++) {
      // The first run of a group is its schedule's.
      if (round > 1) {
        for (const [index, name] of QUICK_JOBS.entries()) {
          const body = { job_name: name, run_once_next: true };
          const answer = await (apis[index % apis.length] as Api).post('/syncer/cron/', body);
          expect(answer.body).toEqual({ status: 'saved' });
        }
      }
      const command = place.muster(['cron', 'run'], { environment: JOB_ENVIRONMENT });
      await expect.poll(() => notes(place), { timeout: 20_000 }).toHaveLength(round * QUICK_JOBS.length * 2);
      expect((await command).code).toBe(0);
    }
    // Further passes of both find nothing to do.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const all = await notes(place);
    for (const name of QUICK_JOBS) {
      const own = all.filter((line) => line.endsWith(` ${name}`));
      expect(own).toEqual(Array.from({ length: rounds }, () => [`begin ${name}`, `end ${name}`]).flat());
    }
  } finally {
    for (const api of apis) await api.close();
    for (const service of services) await service.stop();
  }
}
