import * as z from 'zod';
import { changesBetween } from '../../../kit/json/document-diff.ts';
import { worded } from '../../../kit/worded.ts';
import { secondsOf } from '../../../kit/words/moment.ts';
import { AppError, HISTORY_CHARACTERS, type RuleType, type RuleVersion } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import { isVisible } from '../require-rule.ts';
import { requireStoredType, ruleTypeSchema } from '../rule-type-input.ts';
import { maskedDocument } from '../secrets/masked-documents.ts';
import type { RuleServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { ruleHistoryView, VERSION_COLUMNS } from '../views/history.ts';

export const ruleHistory = defineOperation({
  name: 'rules/rule-history',
  title: 'History of a rule',
  description: 'Earlier versions of one rule document: who changed what and when, newest first. Secrets are masked.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    command: {
      words: 'rules history',
      description: 'Show the past versions of a rule: who changed what, and when.',
      summary: 'show the past versions of a rule',
      arguments: {
        rule_type: { shown: '<type>', description: 'ident of its type' },
        rule: { shown: '<rule>', description: 'name or id of the rule' },
      },
      options: {
        limit: {
          flags: '--limit <n>',
          description: 'at most this many versions',
          parse: { from: 1, to: 1000 },
          default: 20,
        },
      },
      columns: columnNames(VERSION_COLUMNS),
      json: 'answer the versions as JSON',
      examples: ['muster rules history custom_attributes "Site from hostname"'],
      view: ruleHistoryView,
    },
    page: true,
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    rule: z.string().min(1).describe('Name or id of the rule'),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
  }),
  output: z.object({
    rule_type: z.string(),
    id: z.string(),
    name: z.string(),
    versions: z.array(
      z.object({
        version: z.number().int(),
        time: z.string(),
        by: z.string(),
        change: z.enum(['created', 'replaced', 'removed']),
        changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      }),
    ),
    more: z
      .boolean()
      .describe('True if there may be older versions than these: more than requested, or than one answer holds'),
  }),
  async run({ rule_type, rule, limit }, { services, caller }) {
    const type = await requireStoredType(services, rule_type);
    const versions = await versionsOf(services, caller, type, rule, limit + 1, HISTORY_CHARACTERS);
    const newest = versions[0] as RuleVersion;
    const characters = versions.reduce((sum, { document }) => sum + document.text.length, 0);
    const more = versions.length > limit || characters >= HISTORY_CHARACTERS;
    // The last one is only what the one after it is compared with.
    const shown = more && versions.length > 1 ? versions.slice(0, -1) : versions;
    return {
      rule_type: type.id,
      id: newest.id,
      name: newest.name,
      versions: shown.map((version, index) => ({
        version: version.version,
        time: secondsOf(version.at),
        by: version.actor,
        change: version.change,
        changes: [...changes(type, versions[index + 1], version)],
      })),
      more,
    };
  },
});

/** Versions of a rule named by id or name, newest first, also of a removed one that is named by id. */
export async function versionsOf(
  services: RuleServices,
  caller: Caller,
  type: RuleType,
  rule: string,
  limit: number,
  characters?: number,
): Promise<readonly RuleVersion[]> {
  const record =
    (await services.storage.rules.get(type.id, rule)) ?? (await services.storage.rules.findByName(type.id, rule));
  const versions = await services.storage.rules.versions(type.id, record?.id ?? rule, limit, characters);
  const newest = versions[0];
  // Older versions may tell of accounts that the document belonged to before.
  if (newest !== undefined && isVisible(type, newest, caller)) {
    return versions.filter((version) => isVisible(type, version, caller));
  }
  throw new AppError(
    'not_found',
    worded`there is no rule ${{ rule }} of type ${{ id: type.id }}; removed ones are found by their id`,
  );
}

/** The newest one of the number: a rule that came back counts from 1 again. */
export function versionOf(versions: readonly RuleVersion[], rule: string, wanted: number): RuleVersion {
  const found = versions.find(({ version: number }) => number === wanted);
  if (found !== undefined) return found;
  const known = versions.map(({ version: number }) => number).join(', ');
  throw new AppError('not_found', worded`rule ${{ rule }} has no version ${{ wanted }}; kept are ${{ known }}`);
}

function changes(type: RuleType, before: RuleVersion | undefined, after: RuleVersion) {
  if (after.change === 'removed') return [];
  return changesBetween(
    before === undefined ? {} : maskedDocument(type, before.document.value),
    maskedDocument(type, after.document.value),
  );
}
