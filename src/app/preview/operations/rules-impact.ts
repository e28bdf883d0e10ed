import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError, isObjectTarget, type RuleDocument } from '../../../ports/index.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { type HostImpact, hostImpact } from '../../rules/host-impact.ts';
import { projectOf } from '../../rules/project-of.ts';
import { leaveSchema, leavesOf, switchSchema } from '../../rules/rule-type-input.ts';
import type { RuleServices } from '../../rules/services.ts';
import { defineOperation } from '../../rules/services.ts';
import { type BundlePart, readBundle, readJsonLines } from '../../rules/transfer/bundle.ts';
import type { ImportOptions } from '../../rules/transfer/import-candidates.ts';
import { importDocuments } from '../../rules/transfer/import-documents.ts';
import { linesOf } from '../../rules/transfer/rules-text.ts';
import { triedDocument } from '../../rules/transfer/tried-document.ts';

const BATCH_SIZE = 250;

export const rulesImpact = defineOperation({
  name: 'rules/rules-impact',
  title: 'Impact of rules',
  description:
    'Which hosts of a provider, or of exports to a target, would change, and how, if these rules were imported. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: z.object({
    rule_type: z.string().optional(),
    rules: z.unknown().optional().describe('A list of documents, or lists by rule type'),
    lines: z.string().optional().describe('JSON lines instead of rules'),
    text: z
      .string()
      .optional()
      .describe(
        'A file instead of rules, read as an import of rules reads it: what it would not store changes nothing',
      ),
    override: switchSchema.describe('With a file: as if existing rules were replaced instead of left as they are'),
    leave: leaveSchema,
    skip_broken: switchSchema.describe('With a file: as if lines that are not JSON objects were skipped'),
    project: z.string().optional().describe('The provider to look at; absent: automation'),
    target: z
      .string()
      .optional()
      .describe(
        'Hosts of an export to this account instead, whose options name the project; not needed if all rules are those of one type of targets',
      ),
    limit: z.coerce.number().int().min(1).max(10_000).default(100).describe('Hosts to show in detail'),
    seconds: z
      .number()
      .min(0)
      .max(600)
      .optional()
      .describe('Seconds after which no further hosts are looked at; absent: no limit'),
  }),
  output: z.object({
    target: z.string().optional().describe('Type of the target whose own rules ran; absent: the hosts of an inventory'),
    hosts: z.number().int().describe('Hosts that were looked at'),
    changed: z.number().int(),
    is_exact: z.boolean().describe('False where time ran out before all hosts were looked at'),
    of: z.number().int().describe('Hosts that there are'),
    details: z.array(
      z.object({
        hostname: z.string(),
        change: z.enum(['changed', 'appears', 'disappears']),
        changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      }),
    ),
  }),
  async run(
    {
      rule_type,
      rules,
      lines,
      text,
      override,
      leave,
      skip_broken,
      project,
      target: account,
      limit,
      seconds = Infinity,
    },
    { services, caller, signal, progress },
  ) {
    const target = account === undefined ? undefined : await services.targets.explained(account, caller);
    if (target !== undefined && project !== undefined) {
      throw new AppError('invalid_input', worded`an account names its project itself: leave out project, or target`);
    }
    const name = target === undefined ? projectOf(project) : target.project;
    const documents =
      text === undefined
        ? await triedDocuments(
            services,
            caller,
            lines === undefined ? readBundle({ rule_type, rules }) : readJsonLines(lines, rule_type).parts,
          )
        : await importedDocuments(
            services,
            caller,
            { rule_type, text, skip_broken },
            { override, leaves: leavesOf(leave) },
          );
    const type = target?.type ?? onlyTarget(services, documents);
    const before = await services.evaluators.preview(name, type);
    const after = await services.evaluators.withDocuments(documents, name, type);
    const result = { ...(type !== undefined && { target: type }), hosts: 0, changed: 0, details: [] as HostImpact[] };
    const end = performance.now() + seconds * 1000;
    let isExact = true;
    const filter = {
      scope: hostScopeOf(caller),
      kind: target?.takes ?? takenBy(services, type),
      state: 'active',
    } as const;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      if (performance.now() > end && result.hosts > 0) {
        isExact = false;
        break;
      }
      for (const host of batch) {
        const impact = hostImpact(before, after, host);
        if (impact === undefined) continue;
        result.changed++;
        if (result.details.length < limit) result.details.push(impact);
      }
      result.hosts += batch.length;
      progress({ done: result.hosts, unit: 'hosts' });
    }
    const of = isExact ? result.hosts : await services.storage.hosts.count(filter);
    return { ...result, is_exact: isExact, of };
  },
});

/** The type of targets that all of the rules are for; `undefined` when there is not one such type. */
function onlyTarget(
  { plugins }: Pick<RuleServices, 'plugins'>,
  documents: ReadonlyMap<string, readonly RuleDocument[]>,
): string | undefined {
  const targets = new Set([...documents.keys()].map((type) => plugins.ruleType(type)?.evaluation?.target));
  return targets.size === 1 ? [...targets][0] : undefined;
}

/** The records that a type of targets takes. */
function takenBy({ plugins }: Pick<RuleServices, 'plugins'>, type: string | undefined): 'hosts' | 'objects' | 'all' {
  const known = type === undefined ? undefined : plugins.target(type)?.item;
  return (known !== undefined && isObjectTarget(known) ? known.takes : undefined) ?? 'hosts';
}

/** The documents that an import of a file would store, without those of unknown types. */
async function importedDocuments(
  services: RuleServices,
  caller: Caller,
  content: Parameters<typeof linesOf>[0],
  how: Pick<ImportOptions, 'override' | 'leaves'>,
): Promise<ReadonlyMap<string, readonly RuleDocument[]>> {
  const { parts, broken } = linesOf(content);
  const { stored } = await importDocuments(services, caller, parts, { ...how, dryRun: true, broken });
  return new Map([...stored].filter(([type]) => services.plugins.ruleType(type) !== undefined));
}

async function triedDocuments(
  services: RuleServices,
  caller: Caller,
  parts: readonly BundlePart[],
): Promise<ReadonlyMap<string, readonly RuleDocument[]>> {
  const documents = new Map<string, RuleDocument[]>();
  for (const part of parts) {
    const type = services.plugins.ruleType(part.type);
    // An import keeps them, and nothing runs them.
    if (type === undefined) continue;
    const list = documents.get(type.id) ?? [];
    documents.set(type.id, list);
    for (const [index, document] of part.documents.entries()) {
      list.push(await triedDocument(services, caller, type, document, `${type.id}.${index}`));
    }
  }
  return documents;
}
