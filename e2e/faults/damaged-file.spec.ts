import { open, readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { Api, addUsers, basic, expect, PASSWORD, test } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { type CommandResult, Workplace } from '../support/workplace.ts';

/** Bytes of the database file that were overwritten: nobody gets a part as if it were all, and it is said what to do. */

const PAGE_BYTES = 4096;
const HOSTS = 3_000;

interface Damage {
  readonly what: string;
  /** The store reads past it, so that only looking for it finds it. */
  readonly isSilent?: true;
  /** The page, and what is put into it. */
  readonly make: (database: Database.Database) => { readonly page: number; readonly change: (bytes: Buffer) => void };
}

const rootOf = (database: Database.Database, name: string): number =>
  database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(name) as number;
/** The first page below the root, which has no pages below itself in a table of this size. */
const leafOf = (database: Database.Database, name: string, bytes: (page: number) => Buffer): number => {
  const root = bytes(rootOf(database, name));
  const firstCell = root.readUInt16BE(12);
  return root.readUInt32BE(firstCell);
};

const zeroed = (bytes: Buffer): void => void bytes.fill(0);

const DAMAGES: readonly Damage[] = [
  { what: 'the root page of hosts', make: (database) => ({ page: rootOf(database, 'hosts'), change: zeroed }) },
  {
    what: 'a page of hosts',
    make: (database) => ({ page: leafOf(database, 'hosts', pagesOf(database)), change: zeroed }),
  },
  {
    what: 'a page of an index, which lacks some of its entries',
    isSilent: true,
    make: (database) => ({
      page: leafOf(database, 'hosts_account', pagesOf(database)),
      change: (bytes) => void bytes.writeUInt16BE(bytes.readUInt16BE(3) - 5, 3),
    }),
  },
  {
    what: 'the text of a label',
    make: (database) => ({
      page: leafOf(database, 'hosts', pagesOf(database)),
      change: (bytes) => void bytes.fill('"', bytes.indexOf('xxxx'), bytes.indexOf('xxxx') + 40),
    }),
  },
  { what: 'the schema', make: () => ({ page: 1, change: (bytes) => void bytes.fill(0xff, 100) }) },
  { what: 'the header', make: () => ({ page: 1, change: (bytes) => void bytes.fill(0xff, 0, 100) }) },
];

function pagesOf(database: Database.Database): (page: number) => Buffer {
  const bytes = database.serialize();
  return (page) => bytes.subarray((page - 1) * PAGE_BYTES, page * PAGE_BYTES);
}

for (const { what, make, isSilent } of DAMAGES) {
  test(`damage is said, found, and not backed up: ${what}`, { tag: '@thorough' }, async () => {
    test.setTimeout(120_000);
    const place = await Workplace.create();
    try {
      await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, ['crm']);
      const objects = Array.from({ length: HOSTS }, (_, n) => ({
        hostname: `h${n}`,
        labels: { n, text: 'x'.repeat(200) },
      }));
      let service = await RunningService.start(place);
      let api = await Api.open(service.url, basic('root', PASSWORD));
      expect((await api.post('/objects/bulk', { account: 'crm', objects })).status).toBe(200);
      await api.close();
      await service.stop();
      await place.done(['backup', 'good.gz']);
      const good = await readFile(place.path('good.gz'));
      const file = place.path('data/muster.db');
      const database = new Database(file);
      database.pragma('wal_checkpoint(TRUNCATE)');
      const damage = make(database);
      database.close();
      await overwrite(file, damage);

      expectSaid(await place.muster(['doctor']), /✗\s+storage .*(damaged|restore|not an SQLite)/);
      expectSaid(await place.muster(['storage', 'check']), /restore|repair/);
      expectSaid(await place.muster(['backup', 'good.gz']), /damaged|not an SQLite/);
      expect((await readFile(place.path('good.gz'))).equals(good)).toBe(true);

      const begun = await RunningService.start(place).catch((error: Error) => error);
      if (begun instanceof Error) {
        expect(begun.message).toMatch(/exited with 1: .*muster\.db .*restore it from a backup/);
        expect(begun.message).not.toMatch(/\n\s+at /);
      } else {
        service = begun;
        api = await Api.open(service.url, basic('root', PASSWORD));
        await expect
          .poll(async () => (await api.get('/readyz')).body, { timeout: 15_000 })
          .toMatchObject({
            code: 'unavailable',
            message: expect.stringMatching(/stored data is damaged.*muster storage check/),
          });
        for (const path of isSilent
          ? []
          : ['/objects/all?limit=10000', '/inventory/automation/automation', '/objects/h0']) {
          await expectWholeOrRefused(api, path);
        }
        await api.close();
        await service.kill();
      }
      // The way out: what is damaged goes aside, and the backup comes back.
      await place.done(['restore', 'good.gz'], { environment: { SERVICE_DATABASE_URL: 'sqlite:data/again.db' } });
      const again = await place.done(['host', 'list', '--limit', '10000', '--json'], {
        environment: { SERVICE_DATABASE_URL: 'sqlite:data/again.db' },
      });
      expect(JSON.parse(again)).toHaveLength(HOSTS);
    } finally {
      await place.close();
    }
  });
}

function expectSaid({ code, stdout, stderr }: CommandResult, words: RegExp): void {
  const said = `${stdout}${stderr}`;
  expect(code, said).toBe(1);
  expect(said).toMatch(words);
  expect(said).not.toMatch(/\n\s+at |unexpected fault/);
}

/** Either everything is in the answer, or it is an error that says what is wrong, or one that no reader takes for a whole one. */
async function expectWholeOrRefused(api: Api, path: string): Promise<void> {
  const answer = await api.get(path).catch(() => undefined);
  if (answer === undefined) return;
  const { status, text, body } = answer;
  if (status === 200) {
    const count =
      body.results?.length ?? (body.hostname === undefined ? Object.keys(body._meta.hostvars).length : HOSTS);
    expect(count, path).toBe(HOSTS);
    return;
  }
  expect(status, `${path}: ${text}`).toBe(502);
  expect(body.message, path).toMatch(/damaged|no JSON/);
}

async function overwrite(
  path: string,
  { page, change }: { readonly page: number; readonly change: (bytes: Buffer) => void },
): Promise<void> {
  const file = await open(path, 'r+');
  const bytes = Buffer.alloc(PAGE_BYTES);
  await file.read(bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  change(bytes);
  await file.write(bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  await file.close();
}
