import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sqliteScratch } from '../../../src/adapters/scratch/sqlite-scratch.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { openObjectTarget } from '../../../src/app/exports/plans/open-object-target.ts';
import { planOf } from '../../../src/app/exports/plans/plan-run.ts';
import { PlanTables } from '../../../src/app/exports/plans/plan-tables.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import type { PlanEntry } from '../../../src/ports/index.ts';
import { OPERATOR, type OperationsApp } from '../operations/operations-app.ts';
import { find, put, shelf } from './fixtures/shelf.mjs';
import { inShelfWorld } from './shelf-world.ts';

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const labels = fc.record(
  {
    name: names,
    also: names,
    os: fc.constantFrom('x', 'y'),
    site: fc.constantFrom('s', 't'),
    under: names,
    boom: fc.constant('1'),
    password: fc.constantFrom('p', 'q'),
    room: fc.constantFrom(
      '{"key":"r","fields":{"floor":1}}',
      '{"key":"r","fields":{"color":"red"}}',
      '{"key":"r","fields":{"color":"blue","notes":{"a":"1"}}}',
    ),
  },
  { requiredKeys: [] },
);
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('save' as const), host: names, labels }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('remove' as const), host: names }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('put' as const),
      key: names,
      owner: fc.constantFrom('us' as const, 'nobody' as const, 'other' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('rename' as const), key: names, to: names }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('gap' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('run' as const) }) },
);

/** A plan as it would be made with so much memory for its tables. Secret fields are sealed otherwise each time. */
async function planned(muster: OperationsApp, bytes: number) {
  const { services } = muster.app;
  const account = await services.accounts.byName('out');
  if (account === undefined) throw new Error('the account is missing');
  const context = { services, caller: OPERATOR, signal: new AbortController().signal, progress: () => undefined };
  const scratch = sqliteScratch();
  try {
    const entries: PlanEntry[] = [];
    const opened = await openObjectTarget(services, account);
    const made = await planOf(context, account, opened, new PlanTables(scratch, bytes), {
      dryRun: true,
      async onEntries(some) {
        entries.push(...some.map((entry) => ({ ...entry, secrets: entry.secrets === '' ? '' : 'sealed' })));
      },
    });
    const { gaps, ...rest } = made;
    return { ...rest, gaps: gaps.said, entries };
  } finally {
    scratch.close();
  }
}

it('a plan is the same whether its tables are in memory, on the disk, or partly there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(steps, { minLength: 3, maxLength: 14 }), (marks, all) =>
      inShelfWorld(marks, async (muster) => {
        const saved = new Set<string>();
        for (const step of all) {
          if (step.what === 'save') {
            await muster.run(saveHost, { hostname: step.host, account: 'red', labels: step.labels });
            saved.add(step.host);
          } else if (step.what === 'remove') {
            if (saved.delete(step.host)) await muster.run(deleteHost, { hostname: step.host });
          } else if (step.what === 'put') put('device', step.key, { os: 'x' }, step.owner);
          else if (step.what === 'rename') Object.assign(find('device', step.key) ?? {}, { key: step.to });
          else if (step.what === 'gap') {
            shelf.gaps.push({ gap: 'page 7', reason: 'it answered 500', kinds: ['site'] } as never);
          } else await muster.run(exportAccount, { account: 'out' });
        }
        const kept = await planned(muster, 1_000_000);
        for (const bytes of [0, 600, 2_500]) expect(await planned(muster, bytes)).toEqual(kept);
      }),
    ),
    { numRuns: process.env.THOROUGH === '1' ? 300 : 12 },
  );
}, 300_000);
