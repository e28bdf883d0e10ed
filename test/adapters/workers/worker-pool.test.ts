import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WorkerPool, workerPool } from '../../../src/adapters/workers/worker-pool.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { localOperator } from '../../../src/app/execution/caller.ts';
import { listRuleTypes } from '../../../src/app/operations/rules/list-rule-types.ts';
import type { Logger } from '../../../src/ports/index.ts';

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });

let directory: string;
let pool: WorkerPool;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-workers-'));
  const config = configSchema.parse({ DATABASE_URL: 'sqlite:data/muster.db', LOG_LEVEL: 'silent' });
  const origins = Object.fromEntries(Object.keys(config).map((key) => [key, 'default']));
  pool = workerPool({ threads: 1, settings: { config, origins, workingDirectory: directory } }, { logger: SILENT });
});

afterEach(async () => {
  await pool.stop();
  await rm(directory, { recursive: true, force: true });
});

function listTypes(): Promise<unknown> {
  return pool.run(listRuleTypes as never, { kind: 'value', value: {} }, OPERATOR, {});
}

test('a thread that could not open the storage is replaced, so that a later operation can succeed', async () => {
  await writeFile(join(directory, 'data'), 'a file where the folder of the database should be');
  await expect(listTypes()).rejects.toMatchObject({ code: expect.stringMatching(/^(unavailable|failed)$/) });
  await rm(join(directory, 'data'));
  await mkdir(join(directory, 'data'));
  await expect
    .poll(
      () =>
        listTypes().then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
});
