import { test } from '@playwright/test';
import { databaseOf, PASSWORD } from '../support/api.ts';
import { expectOneRunARequest, putGroup, putJobs, QUICK_JOBS } from '../support/cron-jobs.ts';
import { SHARED_STORES } from '../support/shared-stores.ts';
import { Workplace } from '../support/workplace.ts';

for (const { name: store, missing, start } of SHARED_STORES) {
  test(`two services and commands on one ${store} run a group once a request`, { tag: '@thorough' }, async () => {
    test.skip(missing !== undefined, missing);
    test.setTimeout(240_000);
    const server = await start();
    const place = await Workplace.create({ SERVICE_DATABASE_URL: databaseOf(server.url) });
    try {
      await place.done(['user', 'add', 'root', '--role', 'all', '--admin', '--password-stdin'], { input: PASSWORD });
      await putJobs(place);
      for (const name of QUICK_JOBS) await putGroup(place, name, name);
      await expectOneRunARequest(place);
    } finally {
      await place.close();
      await server.stop();
    }
  });
}
