import { counted } from '../../../kit/words/amounts.ts';
import type { StorageProblem } from '../../../ports/index.ts';
import type { Database } from './database.ts';

/** Rows that one statement names at most. */
const NAMED = 100;

function problem(subject: string, message: string): StorageProblem {
  return { subject, message, fixed: false };
}

/** Tests for JSON objects as the server reads them; any other value raises an error there, so each is tried by itself. */
const BROKEN = `
DO $$ BEGIN
  CREATE FUNCTION pg_temp.is_object(given text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $body$
  BEGIN RETURN json_typeof(given::json) = 'object'; EXCEPTION WHEN OTHERS THEN RETURN false; END $body$;
END $$`;

/** Looks for what does not fit together. The server itself looks for damage with the checksum of each page. */
export async function* checkDatabase(database: Database, only: 'damage' | undefined): AsyncGenerator<StorageProblem> {
  const broken = await database.transaction(async (sql) => {
    await sql.run(BROKEN);
    const looks = [
      [
        'host',
        `SELECT hostname FROM muster.hosts WHERE NOT (pg_temp.is_object(labels) AND pg_temp.is_object(inventory) AND pg_temp.is_object(members))`,
      ],
      [
        'host',
        `SELECT h.hostname FROM muster.contributions c JOIN muster.hosts h ON h.id = c.host_id WHERE NOT pg_temp.is_object(c.labels)`,
      ],
      ['rule', `SELECT type || '/' || id FROM muster.rules WHERE NOT pg_temp.is_object(document)`],
    ] as const;
    const found: StorageProblem[] = [];
    for (const [subject, text] of looks) {
      for (const [name] of await sql.rows<[string]>(`${text} LIMIT ${NAMED}`))
        found.push(problem(`${subject} ${name}`, 'its text is not a JSON object; restore a backup'));
    }
    await sql.run('DROP FUNCTION pg_temp.is_object(text)');
    return found;
  });
  yield* broken;
  if (only === 'damage') return;
  const unmarked = await database.rows<[string]>(
    `SELECT hostname FROM muster.hosts WHERE id NOT IN (SELECT id FROM muster.host_marks) LIMIT ${NAMED}`,
  );
  for (const [name] of unmarked) yield problem(`host ${name}`, 'has no row for when it was seen');
  const unknown = await database.rows<[string, number]>(
    `SELECT account_id, count(*) FROM muster.hosts WHERE account_id IS NOT NULL
     AND account_id NOT IN (SELECT id FROM muster.rules WHERE type = 'accounts') GROUP BY account_id ORDER BY account_id`,
  );
  for (const [id, count] of unknown)
    yield problem(
      `account ${id}`,
      `${counted(count, 'host belongs', 'hosts belong')} to an account that does not exist`,
    );
}
