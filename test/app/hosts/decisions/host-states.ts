import fc from 'fast-check';
import type { HostState } from '../../../../src/app/hosts/decisions/host-state.ts';
import type { ArchiveReason, HostScope } from '../../../../src/ports/index.ts';

const ACCOUNTS = ['blue', 'green', 'red'] as const;

export const account = fc.constantFrom(...ACCOUNTS);
export const run = fc.constantFrom('run-1', 'run-2');
/** Few moments, so that two of them are often the same. */
export const moment = fc.integer({ min: 0, max: 5 });
export const reason = fc.constantFrom<ArchiveReason>('api', 'import', 'stale', 'operator');
const limit = <Name extends string>(names: readonly Name[]) => fc.option(fc.subarray([...names]), { nil: null });
export const scope: fc.Arbitrary<HostScope> = fc.option(
  fc.record({ accounts: limit(ACCOUNTS), templates: limit(['linux', 'ddd']) }),
  { nil: null },
);

/** Members of hosts of one template, of two, and of none. */
export const TEMPLATES_OF: Readonly<Record<string, readonly string[]>> = {
  '{}': [],
  '{"cmdb_templates":["linux"]}': ['linux'],
  '{"n":1,"cmdb_templates":[{"$oid":"ddd"},"other"]}': ['ddd', 'other'],
  '{"cmdb_templates":"linux"}': [],
};
export const members = fc.constantFrom(...Object.keys(TEMPLATES_OF));

export const hostState: fc.Arbitrary<HostState> = fc.record({
  accountId: fc.option(account, { nil: null }),
  isObject: fc.boolean(),
  archive: fc.option(fc.record({ at: moment, by: reason }), { nil: null }),
  folder: fc.option(fc.constantFrom('/east', '/west'), { nil: null }),
  createdAt: moment,
  lastSeen: fc.option(moment, { nil: null }),
  runId: fc.option(run, { nil: null }),
});
