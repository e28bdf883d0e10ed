import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { importAccount } from '../../../src/app/runs/import/operations/import-account.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { pythonEnvironment, pythonProgram } from '../../support/python-environment.ts';
import { writeLargeInventory } from './large-inventory.ts';
import { KEPT_WHOLE, SERVED_AS_IT_WAS } from './served-again.ts';

const LONG = { timeout: 300_000 };

interface Read {
  readonly _meta: { readonly hostvars: Readonly<Record<string, JsonObject>> };
  readonly [group: string]: unknown;
}

/** Left out at our side; Ansible itself warns of what it cannot parse, and goes on. */
const LEFT_OUT = { ignore_patterns: '^zzz-inventory\\.config$' };

async function readByAnsible(path: string, ...more: string[]): Promise<Read> {
  const { stdout } = await promisify(execFile)(pythonProgram('ansible-inventory'), ['-i', path, '--list', ...more], {
    cwd: path.replace(/\/[^/]*$/, ''),
    env: pythonEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** Lists of names have no order, what a vault encrypts is nowhere, and a text without template text needs no mark. */
function comparable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const list = value.map((item) => comparable(item));
    return key === 'hosts' || key === 'children' ? list.sort() : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('__ansible_unsafe' in value) return value.__ansible_unsafe;
  const members = Object.entries(value).filter(([, member]) => !isEncrypted(member));
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member, name)]));
}

function isEncrypted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '__ansible_vault' in value;
}

/** Where the exported inventory may lie; as one file it is read in the thorough run. */
const LAYOUTS = process.env.THOROUGH === '1' ? ['tree', 'file'] : ['tree'];

interface Inventory {
  readonly what: string;
  /** It has more of them. */
  readonly hosts: number;
  readonly groups: number;
  write(folder: string): Promise<void>;
}

/** A folder with the inventory of somebody else; its files are not ours to keep here. */
const PUBLIC = process.env.MUSTER_TEST_ANSIBLE_INVENTORY;
const INVENTORIES: readonly Inventory[] = [
  { what: 'one in all shapes that people write', hosts: 500, groups: 150, write: writeLargeInventory },
  ...(PUBLIC === undefined
    ? []
    : [
        {
          what: 'a public one',
          hosts: 100,
          groups: 50,
          write: (folder: string) => cp(PUBLIC, folder, { recursive: true }),
        },
      ]),
];

for (const [name, create, layouts] of [
  ['SQLite', createSqlite, LAYOUTS],
  ['MongoDB', createStorage, []],
] as const) {
  describe(`${name}: an inventory of hundreds of hosts and groups`, () => {
    it.each(INVENTORIES)(
      'reads the same when it was imported and is served or exported again: $what',
      LONG,
      async ({ hosts, groups, write }) => {
        const folder = join(await temporaryFolder(), 'inventory');
        await mkdir(folder);
        await write(folder);
        const opened = await create();
        const muster = await OperationsApp.over(opened.storage);
        try {
          const settings = { path: folder, command: pythonProgram('ansible-inventory'), ...KEPT_WHOLE, ...LEFT_OUT };
          await muster.run(addAccount, { name: 'lab', type: 'ansible', settings });
          expect(await muster.run(importAccount, { account: 'lab' })).toMatchObject({
            status: 'done',
            gaps_total: 0,
            summary: { skipped: 0 },
          });
          await muster.run(importRules, { rules: SERVED_AS_IT_WAS });
          const document = await muster.read(renderInventory, { provider: 'automation' });
          const served = join(folder, '..', 'served.sh');
          await writeFile(`${served}.json`, JSON.stringify(document));
          await writeFile(served, `#!/bin/sh\ncat '${served}.json'\n`);
          await chmod(served, 0o755);
          const again = [served];
          for (const layout of layouts) {
            const path = join(folder, '..', layout === 'tree' ? 'tree' : 'hosts.yml');
            if (layout === 'tree') await mkdir(path);
            const options = { path, shape: 'ansible', layout, group_names: 'kept' };
            await muster.run(addAccount, { name: layout, type: 'files', settings: options });
            const report = await muster.run(exportAccount, { account: layout });
            expect(report).toMatchObject({ status: 'done', summary: { failed: 0 } });
            again.push(path);
          }
          for (const form of [[], ['--export']]) {
            const before = await readByAnsible(folder, ...form);
            expect(Object.keys(before._meta.hostvars).length).toBeGreaterThan(hosts);
            expect(Object.keys(before).length).toBeGreaterThan(groups);
            for (const path of again) {
              expect(comparable(await readByAnsible(path, ...form)), path).toEqual(comparable(before));
            }
          }
        } finally {
          await muster.stop();
          await opened.close();
        }
      },
    );
  });
}
