import * as z from 'zod';
import { memberText } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import {
  AppError,
  type EvaluatedHost,
  type HostFilter,
  isObjectTarget,
  type RuleDocument,
} from '../../../ports/index.ts';
import { providerName } from '../../inventory/provider-name.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import type { PreviewProgram } from '../../rules/engine/program-input.ts';
import { type HostImpact, impactBetween } from '../../rules/host-impact.ts';
import { projectOf } from '../../rules/project-of.ts';
import { unknownProject } from '../../rules/project-rules.ts';
import { DEFAULT_PROJECT, PROJECTS } from '../../rules/rule-generation.ts';
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
    const name = target === undefined ? projectOf(project && providerName(project)) : target.project;
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
    if (target === undefined) await requireProject(services, name, documents);
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
    const look = (impact: HostImpact | undefined): void => {
      if (impact === undefined) return;
      result.changed++;
      if (result.details.length < limit) result.details.push(impact);
    };
    // Rows of pasted lists belong to no account, and are in inventories only. One replaces a stored host of its name.
    const isWhole = filter.scope === null && type === undefined;
    const rows = new Set(isWhole ? [...before.rowNames, ...after.rowNames] : []);
    const made = (program: PreviewProgram, hostname: string): EvaluatedHost | undefined =>
      rows.has(hostname) ? program.evaluateRow(hostname) : undefined;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      if (performance.now() > end && result.hosts > 0) {
        isExact = false;
        break;
      }
      for (const host of batch) {
        const { hostname } = host;
        look(
          impactBetween(made(before, hostname) ?? before.evaluate(host), made(after, hostname) ?? after.evaluate(host)),
        );
        rows.delete(hostname);
      }
      result.hosts += batch.length;
      progress({ done: result.hosts, unit: 'hosts' });
    }
    if (isExact) for (const hostname of rows) look(impactBetween(made(before, hostname), made(after, hostname)));
    if (isExact) result.hosts += rows.size;
    const of = isExact ? result.hosts : await numberOfHosts(services, filter, [...rows]);
    return { ...result, is_exact: isExact, of };
  },
});

/** Throws `not_found` for a project that is neither stored nor among the rules. */
async function requireProject(
  { storage }: Pick<RuleServices, 'storage'>,
  name: string | null,
  documents: ReadonlyMap<string, readonly RuleDocument[]>,
): Promise<void> {
  if (name === null || name === DEFAULT_PROJECT) return;
  if (documents.get(PROJECTS)?.some((project) => memberText(project, 'name') === name)) return;
  if ((await storage.rules.findByName(PROJECTS, name)) === undefined) throw unknownProject(name);
}

/** Counts stored hosts, and the rows without a stored host. */
async function numberOfHosts(
  { storage: { hosts } }: Pick<RuleServices, 'storage'>,
  filter: HostFilter,
  rows: readonly string[],
): Promise<number> {
  const stored = rows.length === 0 ? [] : await hosts.findEach(rows);
  const alone = rows.filter((_, at) => stored[at] === undefined || stored[at].isObject || stored[at].archive !== null);
  return (await hosts.count(filter)) + alone.length;
}

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
