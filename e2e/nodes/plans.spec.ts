import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { DeviceRegistry } from '../../test/support/device-registry.ts';
import { startPostgresqlServer } from '../../test/support/postgresql-server.ts';
import { seededRandom } from '../faults/support/random.ts';
import { Api, addUsers, basic, databaseOf, PASSWORD } from '../support/api.ts';
import { NO_POSTGRESQL } from '../support/shared-stores.ts';
import { ROOT, Workplace } from '../support/workplace.ts';
import { Cluster } from './support/cluster.ts';

/** How often a node is killed over a plan. */
const KILLS = Number(process.env.NODES_PLAN_KILLS ?? 5);
/** A plan makes and deletes a quarter of so many devices, and changes the others. */
const COUNT = 60;
const PASSING = COUNT / 4;

test('two nodes apply plans, and one is killed over each: no change is done twice or lost', {
  tag: '@thorough',
}, async () => {
  test.skip(NO_POSTGRESQL !== undefined, NO_POSTGRESQL);
  test.setTimeout(300_000 + KILLS * 60_000);
  const random = seededRandom();
  const server = await startPostgresqlServer({ synchronous_commit: 'on' });
  const registry = await new DeviceRegistry().start();
  const place = await Workplace.create({
    SERVICE_DATABASE_URL: databaseOf(server.url),
    SERVICE_PLUGINS: join(ROOT, 'examples/plugins/device-registry'),
  });
  let cluster: Cluster | undefined;
  try {
    await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, []);
    const archive = ['path=hosts.csv', 'delete_host_if_not_found_on_import=true', 'delete_threshold_percent=100'];
    const written = [`url=${registry.url}`, 'delete_threshold=100%'];
    const set = (options: readonly string[]) => options.flatMap((option) => ['--set', option]);
    await place.done(['account', 'add', 'red', '--type', 'csv', ...set(archive)]);
    await place.done(['account', 'add', 'out', '--type', 'device-registry', ...set(written), '--password-stdin'], {
      input: 'sesame\n',
    });
    cluster = await Cluster.start(place, [{}, {}]);
    const nodes = cluster;
    let killedInTheMiddle = 0;
    // The first plan makes everything by few calls, and nobody dies over it.
    for (let round = 0; round <= KILLS; round++) {
      const victim = random.below(2);
      const survivor = 1 - victim;
      const first = round % 3;
      const names = Array.from({ length: COUNT }, (_, n) => `h${n + first * PASSING}`);
      const rows = names.map((name, n) => `${name},s${n % 4},os${round}`);
      await writeFile(place.path('hosts.csv'), ['host,site,os', ...rows, ''].join('\n'));
      const other = await Api.open(nodes.urlOf(survivor), basic('root', PASSWORD));
      const doomed = await Api.open(nodes.urlOf(victim), basic('root', PASSWORD));
      await place.done(['import', 'red']);
      const plan = await doomed.post('/api/v1/plans', { account: 'out' });
      expect(plan.status, plan.text).toBe(200);
      const apply = `/api/v1/plans/${plan.body.id}/apply`;
      registry.delay = 20;
      registry.writes.length = 0;
      const dying = doomed.post(apply).catch(() => undefined);
      await expect.poll(() => registry.writes.length, { timeout: 60_000, intervals: [1] }).toBeGreaterThan(0);
      if (round > 0) {
        expect((await other.post(apply)).status, 'both apply it').toBe(409);
        const moment = random.below(COUNT / 2);
        while (registry.writes.length < moment) await pause(1);
        await cluster.kill(victim);
      }
      await dying;
      // What it had asked for is done by now, or never will be.
      await pause(100);
      const before = registry.writes.length;
      const answer = await other.post(apply);
      // It may have come to its end before it was killed.
      if (answer.status !== 409 || !answer.text.includes('was applied already')) {
        expect(answer.status, answer.text).toBe(200);
        expect(answer.body, answer.text).toMatchObject({ status: 'done', failed: 0 });
        if (registry.writes.length > before) killedInTheMiddle++;
      }
      expect(registry.names('devices')).toEqual(names.toSorted());
      expect([...registry.devices.values()].filter(({ os }) => os !== `os${round}`)).toEqual([]);
      const changes = registry.writes.filter((write) => !write.startsWith('POST'));
      expect(changes.toSorted()).toEqual([...new Set(changes)].toSorted());
      await doomed.close();
      await other.close();
      if (round > 0) await cluster.begin(victim);
    }
    console.log(`${KILLS} kills over a plan, ${killedInTheMiddle} of them with changes left`);
    expect(killedInTheMiddle).toBeGreaterThan(0);
  } finally {
    await cluster?.close();
    await place.close();
    await registry.stop();
    await server.stop();
  }
});
