import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasMessages, withMessages } from './scripts/messages/transform.mjs';

/** The files that take longest, which are short themselves: they run suites over a store. Left alone they would come last. */
const LONGEST = [
  /operations\/mongodb/,
  /mongodb\/contract/,
  /docs\/shell/,
  /sqlite-storage|operations\/sqlite/,
  /mongodb\//,
];

/**
 * Chance, cut cursors, killed programs for half a minute, all faults of a system, other people's systems end to end, generated clients, new plugins with their
 * own tests, servers that are installed, attacks that hold threads, operations over the databases
 * and plans over a second one, whose contract suites always run, as operations over the memory do: THOROUGH=1 runs them too, as before a release.
 */
const THOROUGH_ONLY = [
  'test/adapters/cli/held-threads.test.ts',
  'test/adapters/cli/new-plugin.test.ts',
  'test/adapters/cli/hostile.test.ts',
  'test/adapters/mongodb/deadline.test.ts',
  'test/adapters/mongodb/faults.test.ts',
  'test/adapters/mongodb/lost-cursors.test.ts',
  'test/adapters/mongodb/two-nodes.test.ts',
  'test/adapters/postgresql/pooler.test.ts',
  'test/app/import/mongodb.test.ts',
  'test/app/import/outage.test.ts',
  'test/app/import/postgresql.test.ts',
  'test/app/import/sqlite.test.ts',
  'test/app/notifications/killed-service.test.ts',
  'test/app/operations/mongodb.test.ts',
  'test/app/operations/postgresql.test.ts',
  'test/app/operations/sqlite.test.ts',
  'test/app/plans/faults.test.ts',
  'test/app/plans/killed-apply.test.ts',
  'test/app/plans/mongodb.test.ts',
  'test/app/plans/postgresql.test.ts',
  'test/app/plans/sqlite.test.ts',
  'test/app/rules/differential.test.ts',
  'test/app/rules/kept-types/kept-types.test.ts',
  'test/app/storage-transfer/kill.test.ts',
  'test/app/storage-transfer/scheduled-backup.test.ts',
  'test/clients/clients.test.ts',
  'test/docs/one-file-operation.test.ts',
  'test/migration/killed-import.test.ts',
  'test/migration/lines.test.ts',
  'test/plugins/faults/device-registry.test.ts',
  'test/plugins/faults/files.test.ts',
  'test/plugins/faults/netbox-target.test.ts',
  'test/plugins/faults/rest-target.test.ts',
  'test/plugins/faults/target-presets.test.ts',
  'test/plugins/files/killed-export.test.ts',
  'test/plugins/ldap/ldap-faults.test.ts',
  'test/plugins/netbox/netbox-faults.test.ts',
  'test/plugins/rest/rest-faults.test.ts',
  'test/plugins/rest/export/i-doit-account.test.ts',
  'test/plugins/rest/export/jira-account.test.ts',
  'test/plugins/rest/export/target-presets.test.ts',
  'test/plugins/sql/mssql.test.ts',
  'test/plugins/sql/sql-faults.test.ts',
  'test/plugins/yaml/yaml-faults.test.ts',
  'test/security/audit-chain.test.ts',
  'test/security/denial-compile.test.ts',
  'test/security/denial-host-size.test.ts',
  'test/security/denial-tool-answers.test.ts',
  'test/security/denial-tool-readers.test.ts',
  'test/security/denial-workers.test.ts',
  'test/security/inventory-connection.test.ts',
  'test/plugins/*/real-*.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((pattern) => pattern.test(moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

/** Texts of pages, in English, as `npm run build` makes them. */
const messages = {
  name: 'messages',
  enforce: 'pre',
  async transform(source: string, id: string) {
    if (!id.includes('/admin/pages/') || !hasMessages(source)) return undefined;
    return (await withMessages(source, id, `${import.meta.dirname}/test/support/english.ts`)).code;
  },
} as const;

export default defineConfig({
  plugins: [messages],
  resolve: {
    // As the program offers them to plugins, whatever its package is called.
    alias: {
      'muster/plugin-api': join(import.meta.dirname, 'dist/plugin-api.js'),
      'muster/kit': join(import.meta.dirname, 'dist/kit.js'),
      'muster/storage-api': join(import.meta.dirname, 'dist/storage-api.js'),
      'muster/testing': join(import.meta.dirname, 'dist/testing.js'),
    },
  },
  test: {
    // A worker keeps the modules that it has: making them anew for every file costs as much as a fifth of all tests. So what a test
    // changes in its process it puts back.
    isolate: false,
    globalSetup: 'test/support/global-setup.ts',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.THOROUGH ? [] : THOROUGH_ONLY)],
    // One more than processors: many tests wait for a database, a command or a clock.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // What only the thorough run does takes longer, and it is so long that others use the machine meanwhile.
    testTimeout: process.env.THOROUGH ? 120_000 : 60_000,
    hookTimeout: process.env.THOROUGH ? 240_000 : 120_000,
  },
});
