import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, ROOT } from '../../docs/support/markdown.ts';
import { databaseProgram } from '../../servers/database-server.ts';
import { hasPostgresql } from '../../support/postgresql-server.ts';
import { sharedPostgresqlUrl } from '../../support/shared-databases.ts';

/** The names of the page may be taken on the server. */
const ROLE = `documented${randomUUID().slice(0, 8)}`;
const OWNER = `${ROLE}_owner`;
const DATABASE = ROLE;

/** The block of docs/operations.md that begins so, with names of the test. */
function block(beginning: string): string {
  const found = blocksOf('docs/operations.md').find(({ text }: Block) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`no block begins with ${beginning}`);
  return found.text
    .replaceAll('muster_owner', OWNER)
    .replaceAll(/(?<=(ROLE|DATABASE|grants) )muster\b/g, ROLE)
    .replaceAll('…', 'secret');
}

describe.skipIf(!hasPostgresql)('what docs/operations.md says of PostgreSQL', () => {
  let folder: string;

  async function asSuperuser(statements: string, database = 'postgres'): Promise<void> {
    const address = new URL(await sharedPostgresqlUrl());
    address.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: address.href, ssl: false });
    await client.connect();
    try {
      for (const statement of statements.split(/;\n/)) if (statement.trim() !== '') await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async function addressFor(user: string): Promise<string> {
    const address = new URL(await sharedPostgresqlUrl());
    return `postgresql://${user}:secret@${address.host}/${DATABASE}?sslmode=disable`;
  }

  /** Runs a block, with the addresses of the test instead of those of the page. */
  async function run(script: string): Promise<string> {
    const env = {
      ...process.env,
      PATH: [join(ROOT, 'bin'), dirname(await databaseProgram('psql')), process.env.PATH].join(delimiter),
      OWNER_URL: await addressFor(OWNER),
      SERVICE_DATABASE_URL: await addressFor(ROLE),
    };
    const text = script.replace(/^OWNER_URL=.*\n/, '');
    return (await promisify(execFile)('sh', ['-euc', text], { cwd: folder, env })).stdout;
  }

  afterAll(async () => {
    await asSuperuser(
      `DROP DATABASE IF EXISTS ${DATABASE};\nDROP ROLE IF EXISTS ${OWNER};\nDROP ROLE IF EXISTS ${ROLE}`,
    );
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it.runIf(process.env.THOROUGH)('makes two roles, dumps and restores, and adds the index for searches', async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-documented-'));
    await asSuperuser(block('CREATE ROLE'));
    await run(block('OWNER_URL='));
    await run('muster account add lab --type api\nmuster host set web01 --account lab --label os=debian');
    await run(block('pg_dump'));
    await run('muster host set web02 --account lab --label os=debian');
    await run(block('pg_restore'));
    expect(await run('muster host list -o name')).toBe('web01\n');
    await asSuperuser('DROP EXTENSION pg_trgm CASCADE', DATABASE);
    expect(await run('muster doctor')).toContain('pg_trgm');
    await asSuperuser(block('CREATE EXTENSION'), DATABASE);
    expect(await run('muster doctor')).not.toContain('pg_trgm');
  });
});
