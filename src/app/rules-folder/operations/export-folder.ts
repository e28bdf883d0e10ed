import * as z from 'zod';
import type { RuleRecord, RuleType } from '../../../ports/index.ts';
import { documentSchema } from '../../rules/document-schema.ts';
import { defineOperation } from '../../rules/services.ts';
import { exportedTypes } from '../../rules/transfer/export-documents.ts';
import { heldVersionsOf, isPendingOrHeld } from '../../rules/trust/held-versions.ts';
import { WAIT_MARK } from '../../rules/trust/pending.ts';
import { writtenMembers } from '../applied-marks.ts';
import { withoutSecrets } from '../secret-references.ts';

export const exportFolder = defineOperation({
  name: 'rules/export-folder',
  title: 'Rules and accounts for a folder',
  description:
    'All rules and accounts as a folder holds them: applied again they change nothing. Secrets are left out; a placeholder shows where one is stored.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'heavy',
  at: { rest: { path: 'GET /rules/documents', query: ['rule_type'], errors: ['forbidden'] } },
  input: z.object({ rule_type: z.string().optional().describe('Only documents of this type') }),
  output: z.object({
    documents: z.array(z.object({ rule_type: z.string(), name: z.string(), document: documentSchema })),
    left_out: z
      .array(z.object({ rule_type: z.string(), count: z.number().int() }))
      .describe(
        'Documents of types whose plugin is not loaded: which members of them are secret only the plugin knows',
      ),
  }),
  async run({ rule_type }, { services }) {
    const { types, leftOut } = await exportedTypes(services, new Set(['rules', 'accounts', 'passwords']));
    const wanted = services.plugins.ruleType(rule_type ?? '')?.id ?? rule_type;
    const stored: { readonly type: RuleType; readonly records: readonly RuleRecord[]; readonly held: Held }[] = [];
    const { rules } = services.storage;
    for (const type of types) {
      stored.push({ type, records: await rules.list(type.id), held: await heldVersionsOf(rules, type) });
    }
    const referred = referredIds(stored);
    return {
      documents: stored
        .filter(({ type }) => wanted === undefined || type.id === wanted)
        .flatMap(({ type, records, held }) => {
          const names = timesOf(records.map(({ name }) => name));
          return records.map((record) => {
            const isNamed = record.name !== '' && names.get(record.name) === 1 && !referred.has(record.id);
            return { rule_type: type.id, name: record.name, document: folderDocument(type, record, isNamed, held) };
          });
        }),
      left_out: leftOut.map(({ ident, count }) => ({ rule_type: ident, count })),
    };
  },
});

type Held = Awaited<ReturnType<typeof heldVersionsOf>>;

/** Ids by which documents name others: those need theirs wherever the folder is applied. */
function referredIds(
  stored: readonly { readonly type: RuleType; readonly records: readonly RuleRecord[] }[],
): ReadonlySet<string> {
  return new Set(
    stored.flatMap(({ type, records }) =>
      records.flatMap(({ document }) => (type.references?.(document.value) ?? []).map(({ target }) => target)),
    ),
  );
}

function timesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

function folderDocument(
  type: RuleType,
  record: RuleRecord,
  isNamed: boolean,
  held: Held,
): z.infer<typeof documentSchema> {
  const { id, document } = record;
  const members = writtenMembers(withoutSecrets(type, document.value), type);
  const written = isPendingOrHeld(type, record, held) ? { ...members, ...WAIT_MARK } : members;
  return isNamed ? written : { _id: { $oid: id }, ...written };
}

export type ExportedDocument = Awaited<ReturnType<typeof exportFolder.run>>['documents'][number];
