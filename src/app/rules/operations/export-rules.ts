import * as z from 'zod';
import { secondsOf } from '../../../kit/words/moment.ts';
import type { ExportGroup } from '../../../ports/index.ts';
import { documentSchema } from '../document-schema.ts';
import { switchSchema } from '../rule-type-input.ts';
import { defineStreamOperation } from '../services.ts';
import { documentList, exportedTypes } from '../transfer/export-documents.ts';

export const exportRules = defineStreamOperation({
  name: 'rules/export-rules',
  title: 'Export rules',
  description:
    'All rules grouped by type; with every flag a full backup. Exports with users or passwords contain secrets.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    rest: {
      path: 'GET /rules/export',
      query: ['include_hosts', 'include_accounts', 'include_users', 'include_passwords'],
      errors: ['forbidden'],
    },
    tool: { name: 'export_all_rules' },
    page: true,
  },
  auditReads: true,
  input: z.object({
    include_hosts: switchSchema.describe('Also host objects'),
    include_accounts: switchSchema.describe('Also accounts'),
    include_users: switchSchema.describe('Also users with password hashes and roles; secret'),
    include_passwords: switchSchema.describe('Also the monitoring password store, encrypted; secret'),
  }),
  output: z.object({ exported_at: z.string(), rules: z.record(z.string(), z.array(documentSchema)) }),
  subject: (input) => [...groupsOf(input)].join(', '),
  async run(input, { services, caller }) {
    const groups = groupsOf(input);
    const { types, leftOut } = await exportedTypes(services, groups);
    if (leftOut.length > 0) {
      services.logger.warn(
        'rules of types that no loaded plugin knows are left out of the export; load the plugin and export again, or export with every flag',
        { leftOut: Object.fromEntries(leftOut.map(({ ident, count }) => [ident, count])) },
      );
    }
    async function* body(): AsyncGenerator<string> {
      yield `{"exported_at":"${secondsOf(services.clock.now())}","rules":{`;
      let separator = '';
      for (const type of types) {
        yield `${separator}${JSON.stringify(type.id)}:`;
        separator = ',';
        yield* documentList(services, type, caller);
      }
      yield '}}';
    }
    return { mediaType: 'application/json', unchanged: false, body: body() };
  },
});

interface ExportFlags {
  readonly include_hosts: boolean;
  readonly include_accounts: boolean;
  readonly include_users: boolean;
  readonly include_passwords: boolean;
}

function groupsOf(flags: ExportFlags): ReadonlySet<ExportGroup> {
  const groups = new Set<ExportGroup>(['rules']);
  if (flags.include_hosts) groups.add('hosts');
  if (flags.include_accounts) groups.add('accounts');
  if (flags.include_users) groups.add('users');
  if (flags.include_passwords) groups.add('passwords');
  return groups;
}
