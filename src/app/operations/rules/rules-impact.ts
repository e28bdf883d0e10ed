import * as z from 'zod';
import { AppError, type EvaluatedHost, type HostRecord, type RuleDocument } from '../../../ports/index.ts';
import { isJsonObject } from '../../../ports/rule-members.ts';
import { changesBetween } from '../../domain/document-diff.ts';
import { documentProblems } from '../../domain/rules/document-problems.ts';
import type { HostProgram } from '../../domain/rules/program-input.ts';
import { defineOperation } from '../../execution/operation.ts';
import { type BundlePart, readBundle, readJsonLines } from '../../rules-transfer/bundle.ts';
import type { Services } from '../../services.ts';
import { requireRuleType } from './rule-type-input.ts';

const BATCH_SIZE = 250;

export const rulesImpact = defineOperation({
  name: 'rules/rules-impact',
  title: 'Impact of rules',
  description: 'Which hosts of a provider would change, and how, if these rules were imported. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  input: z.object({
    rule_type: z.string().optional(),
    rules: z.unknown().optional().describe('A list of documents, or lists by rule type'),
    lines: z.string().optional().describe('JSON lines instead of rules'),
    project: z.string().optional().describe('The provider to look at; absent: automation'),
    limit: z.coerce.number().int().min(1).max(10_000).default(100).describe('Hosts to show in detail'),
  }),
  output: z.object({
    hosts: z.number().int(),
    changed: z.number().int(),
    details: z.array(
      z.object({
        hostname: z.string(),
        change: z.enum(['changed', 'appears', 'disappears']),
        changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      }),
    ),
  }),
  async run({ rule_type, rules, lines, project, limit }, { services, caller, signal, progress }) {
    const parts =
      lines === undefined
        ? readBundle({ rule_type, rules })
        : readJsonLines(lines, rule_type, (ident) => services.plugins.ruleType(ident) !== undefined);
    const name = project === undefined || project === 'automation' ? null : project;
    const before = await services.evaluators.forProject(name);
    const after = await services.evaluators.withDocuments(validDocuments(services, parts), name);
    const result = { hosts: 0, changed: 0, details: [] as HostImpact[] };
    const filter = { scope: caller.scope, kind: 'hosts', state: 'active' } as const;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      for (const host of batch) {
        const impact = impactOf(before, after, host);
        if (impact === undefined) continue;
        result.changed++;
        if (result.details.length < limit) result.details.push(impact);
      }
      result.hosts += batch.length;
      progress({ done: result.hosts, unit: 'hosts' });
    }
    return result;
  },
});

interface HostImpact {
  readonly hostname: string;
  readonly change: 'changed' | 'appears' | 'disappears';
  readonly changes: { path: string; before?: unknown; after?: unknown }[];
}

/** Values of account fields are hidden: who tries rules out need not be one who may read them. */
function impactOf(beforeProgram: HostProgram, afterProgram: HostProgram, host: HostRecord): HostImpact | undefined {
  const before = beforeProgram.evaluate(host);
  const after = afterProgram.evaluate(host);
  const { hostname } = before;
  if (before.included !== after.included) {
    return { hostname, change: after.included ? 'appears' : 'disappears', changes: [] };
  }
  if (before.variables.text === after.variables.text && sameExpressions(before, after)) return undefined;
  const changes = changesBetween(
    beforeProgram.masked({ ...before.variables.value, ...before.expressions }),
    afterProgram.masked({ ...after.variables.value, ...after.expressions }),
  );
  return changes.length === 0 ? undefined : { hostname, change: 'changed', changes: [...changes] };
}

function sameExpressions(before: EvaluatedHost, after: EvaluatedHost): boolean {
  return JSON.stringify(before.expressions) === JSON.stringify(after.expressions);
}

function validDocuments(
  services: Services,
  parts: readonly BundlePart[],
): ReadonlyMap<string, readonly RuleDocument[]> {
  const documents = new Map<string, RuleDocument[]>();
  for (const part of parts) {
    const type = requireRuleType(services, part.type);
    const list = documents.get(type.id) ?? [];
    documents.set(type.id, list);
    for (const [index, document] of part.documents.entries()) {
      const [problem] = isJsonObject(document)
        ? documentProblems(document, type)
        : [{ path: '', message: 'must be a JSON object' }];
      if (problem !== undefined || !isJsonObject(document)) {
        const path = `${type.id}.${index}.${problem?.path ?? ''}`;
        throw new AppError('invalid_input', `${path}: ${problem?.message}`, {
          details: [{ path, message: problem?.message ?? '' }],
        });
      }
      list.push(document);
    }
  }
  return documents;
}
