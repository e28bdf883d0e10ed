import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Api, basic, expect, PASSWORD, type StorageKind, test } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { MUSTER, type Workplace } from '../support/workplace.ts';
import { expectNothingFound, takeRemaindersAway, withoutAuditEntry } from './support/checks.ts';
import { Oracle } from './support/oracle.ts';
import { seededRandom } from './support/random.ts';
import { Writer } from './support/writer.ts';

/** `kill -9` at random moments: what was acknowledged is there, and what was not is there whole or not at all. */

const ROUNDS = Number(process.env.FAULTS_ROUNDS ?? 100);
const WRITERS = 4;
/** The substitute for MongoDB takes longer for a write. */
const LONGEST_LOAD_MS = { sqlite: 700, postgresql: 3_000, mongodb: 3_000 } as const;
const LONGEST_START_MS = 1_500;
/** After so many rounds it is killed once while it starts, and the whole store is checked. */
const WHOLE_CHECK_EACH = 10;

test('a service that is killed at random moments loses nothing acknowledged and does nothing by half', {
  tag: '@thorough',
}, async ({ freshPlace, storageKind }) => {
  test.setTimeout(ROUNDS * 60_000);
  const random = seededRandom();
  const place = await freshPlace();
  const oracle = new Oracle();
  const isBulkOneUnit = storageKind === 'sqlite';
  const writers = Array.from(
    { length: WRITERS },
    (_, index) => new Writer({ name: `h${index}`, random, oracle, isBulkOneUnit }),
  );
  const kills: number[] = [];
  let unaudited = 0;
  let earliestUnaudited = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const service = await RunningService.start(place);
    const api = await Api.open(service.url, basic('root', PASSWORD));
    try {
      await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
      expect(await oracle.differences(api), `after kill ${round}`).toEqual([]);
      if (storageKind === 'sqlite') expectWholeFile(place);
      // The first login takes as long as a password is hashed, and then the moments are those of writes.
      expect((await api.get('/objects/count')).status).toBe(200);
      if (round === ROUNDS) break;
      let isOver = false;
      const running = writers.map((writer) => writer.run(api, () => isOver));
      await pause(random.below(LONGEST_LOAD_MS[storageKind]));
      await service.kill();
      kills.push(performance.now());
      isOver = true;
      const refused = (await Promise.all(running)).flat();
      expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
    } finally {
      await service.kill();
      await api.close();
    }
    if (round % WHOLE_CHECK_EACH > 0) continue;
    await killWhileStarting(place, random.below(LONGEST_START_MS));
    for (const { at } of await withoutAuditEntry(place, oracle.takeRequests())) {
      unaudited++;
      earliestUnaudited = Math.max(earliestUnaudited, (kills.find((kill) => kill > at) ?? at) - at);
    }
    await checkStorage(place, storageKind);
    console.log(`${kills.length} kills, ${oracle.acknowledged} writes acknowledged`);
  }
  await checkStorage(place, storageKind);
  console.log(
    `${kills.length} kills, ${oracle.acknowledged} writes acknowledged and ${oracle.unanswered} not answered; ` +
      `${unaudited} acknowledged ones have no entry in the audit log, from ${earliestUnaudited.toFixed(0)} ms before a kill on`,
  );
  expect(unaudited).toBe(0);
  expect(oracle.acknowledged).toBeGreaterThan(ROUNDS / 4);
});

async function checkStorage(place: Workplace, storageKind: StorageKind): Promise<void> {
  if (storageKind === 'mongodb') await takeRemaindersAway(place);
  else await expectNothingFound(place);
}

async function killWhileStarting(place: Workplace, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [MUSTER, 'serve'], {
    cwd: place.directory,
    env: { ...place.environment, SERVICE_HTTP_PORT: '0' },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await pause(afterMs);
  child.kill('SIGKILL');
  await exited;
}

function expectWholeFile(place: Workplace): void {
  const database = new Database(place.path('data/muster.db'), { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
}
