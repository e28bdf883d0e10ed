import * as z from 'zod';
import { memberFlag, memberReference } from '../../../kit/document/members.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError, type HostRecord, type RuleDocument } from '../../../ports/index.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import type { PreviewProgram } from '../../rules/engine/program-input.ts';
import { requireDocumentType, requireRule } from '../../rules/require-rule.ts';
import { PROJECTS } from '../../rules/rule-generation.ts';
import { ruleTypeSchema } from '../../rules/rule-type-input.ts';
import type { RuleServices } from '../../rules/services.ts';
import { defineOperation } from '../../rules/services.ts';
import { FAILING_COLUMNS, failingHostsView } from '../views/failing-hosts.ts';

const BATCH_SIZE = 250;
/** Only an explanation reveals on which of them a rule failed, and that takes far longer than to run it. */
const FEW = 20;

export const failingHosts = defineOperation({
  name: 'rules/failing-hosts',
  title: 'Hosts that a rule fails on',
  description:
    'The active hosts on which a rule fails, and how, after all rules that run before it. Checks the hosts by name, and reports how far it got.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: {
    rest: {
      path: 'GET /rules/:rule_type/failing-hosts',
      query: ['rule', 'after', 'seconds', 'limit'],
      errors: ['not_found'],
    },
    command: {
      words: 'rules failing-hosts',
      description: 'List the hosts that a rule fails on, and how.',
      summary: 'hosts that a rule fails on',
      arguments: {
        rule_type: { shown: '<type>', description: 'ident of its type' },
        rule: { shown: '<rule>', description: 'name or id of the rule' },
      },
      options: {
        after: { flags: '--after <hostname>', description: 'only hosts behind this one, by name' },
        seconds: { flags: '--seconds <n>', description: 'longest time to look', parse: { from: 1, to: 600 } },
        limit: { flags: '--limit <n>', description: 'hosts to list', parse: { from: 1, to: 1000 }, default: 100 },
      },
      columns: columnNames(FAILING_COLUMNS),
      json: 'answer the hosts and how many there are as JSON',
      examples: ['muster rules failing-hosts custom_attributes "Site from hostname"'],
      view: failingHostsView,
    },
    page: true,
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    rule: z.string().min(1).describe('Name or id of the rule'),
    after: z.string().trim().optional().describe('Only hosts behind this one, by name: the next of an earlier answer'),
    seconds: z.coerce
      .number()
      .min(0)
      .max(600)
      .optional()
      .describe('Seconds after which no further hosts are looked at; absent: no limit'),
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Hosts to name at most'),
  }),
  output: z.object({
    rule_type: z.string(),
    id: z.string(),
    name: z.string(),
    enabled: z.boolean().describe('False: it fails on these hosts once it is enabled'),
    broken: z.string().nullable().describe('Why it does not compile, so that it runs on no host; else null'),
    looked: z.number().int().describe('Hosts that were looked at'),
    hosts: z.number().int().describe('Hosts that there are'),
    failing: z.number().int().describe('Hosts among those looked at that it fails on'),
    details: z.array(z.object({ hostname: z.string(), error: z.string() })).describe('The first of them'),
    next: z.string().nullable().describe('Position of further hosts; null when all were looked at'),
  }),
  subject: ({ rule_type, rule }) => `${rule_type} ${rule}`,
  async run({ rule_type, rule, after, seconds = Infinity, limit }, { services, caller, signal, progress }) {
    const { program, ...found } = await programOf(services, caller, { rule_type, rule });
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const hosts = await services.storage.hosts.count(filter);
    const failures = () => program.errors().find(({ type, id }) => type === found.rule_type && id === found.id);
    const broken = failures();
    const answer = { ...found, hosts, looked: 0, failing: 0, details: [] as { hostname: string; error: string }[] };
    if (broken !== undefined) return { ...answer, broken: broken.lastError, next: null };
    const end = performance.now() + seconds * 1000;
    let next: string | null = null;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE, after)) {
      signal.throwIfAborted();
      for (let start = 0; start < batch.length; start += FEW) {
        const few = batch.slice(start, start + FEW);
        const before = failures()?.errors ?? 0;
        for (const host of few) run(program, host);
        if ((failures()?.errors ?? 0) === before) continue;
        for (const host of few) {
          const error = errorOn(program, host, found);
          if (error === undefined) continue;
          answer.failing++;
          if (answer.details.length < limit) answer.details.push({ hostname: host.hostname, error });
        }
      }
      answer.looked += batch.length;
      progress({ done: answer.looked, total: hosts, unit: 'hosts' });
      const isEnd = after === undefined && answer.looked >= hosts;
      if (performance.now() > end && !isEnd) {
        next = batch.at(-1)?.hostname ?? null;
        break;
      }
    }
    return { ...answer, broken: null, next };
  },
});

/** A program of its own with the rule as it is stored, enabled, and in the project that it names. */
async function programOf(
  services: RuleServices,
  caller: Caller,
  { rule_type, rule }: { readonly rule_type: string; readonly rule: string },
) {
  const type = requireDocumentType(services, rule_type);
  if (type.evaluation === undefined)
    throw new AppError('invalid_input', worded`${{ id: type.id }} do not run over hosts`);
  const record = await requireRule(services, caller, type, rule);
  const document: RuleDocument = { ...record.document.value, enabled: true };
  const project = await projectNamed(services, memberReference(document, 'project'));
  const changed = new Map([[type.id, [document]]]);
  return {
    rule_type: type.id,
    id: record.id,
    name: record.name,
    enabled: memberFlag(record.document.value, 'enabled'),
    program: await services.evaluators.withDocuments(changed, project, type.evaluation?.target),
  };
}

/** As evaluators call it. */
async function projectNamed({ storage }: RuleServices, reference: string | undefined): Promise<string | null> {
  if (reference === undefined) return null;
  const projects = await storage.rules.list(PROJECTS);
  const name = projects.find(({ id }) => id === reference)?.name ?? reference;
  return name === 'Default' ? null : name;
}

/** Runs rules about playbooks as well as those that make the host. */
function run(program: PreviewProgram, host: HostRecord): void {
  program.evaluate(host);
  if (program.playbookRules.length > 0) program.playbooks(host);
}

function errorOn(
  program: PreviewProgram,
  host: HostRecord,
  { rule_type, id }: { readonly rule_type: string; readonly id: string },
): string | undefined {
  return program.explain(host).rules.find((rule) => rule.type === rule_type && rule.id === id)?.errors[0];
}
