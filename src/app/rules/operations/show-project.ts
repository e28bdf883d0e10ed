import * as z from 'zod';
import { isListRule } from '../../../kit/document/list-rule.ts';
import { memberFlag } from '../../../kit/document/members.ts';
import { AppError, type HostRecord } from '../../../ports/index.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import type { PreviewProgram } from '../engine/program-input.ts';
import type { PlacedRule } from '../pipeline.ts';
import { rulesOfProject } from '../project-rules.ts';
import { defineOperation, type RuleServices } from '../services.ts';
import { projectView } from '../views/project.ts';

const BATCH_SIZE = 100;

export const showProject = defineOperation({
  name: 'rules/show-project',
  title: 'Show project',
  description:
    'A project with its rules of all types in the order in which a host passes them, how many hosts each hits, and what uses the project.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: {
    rest: { path: 'GET /rules/projects/:project', query: ['seconds'], errors: ['not_found'] },
    command: {
      words: 'rules project',
      description:
        'Show the rules of a project in the order in which a host passes them, and how many hosts each hits.',
      summary: 'show the rules of a project and what they hit',
      arguments: { project: { shown: '<project>', description: 'name of the project' } },
      options: {
        seconds: {
          flags: '--seconds <n>',
          description: 'longest time to count; 0 counts nothing',
          parse: { from: 0, to: 600 },
        },
      },
      json: 'answer the project as JSON',
      examples: ['muster rules project backup'],
      view: projectView,
    },
    page: true,
  },
  input: z.object({
    project: z.string().min(1).describe('Name or id of the project'),
    seconds: z.coerce
      .number()
      .min(0)
      .max(600)
      .optional()
      .describe('Seconds after which no further hosts are counted; 0: counts none; absent: no limit'),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    rules: z
      .array(
        z.object({
          rule_type: z.string(),
          title: z.string().describe('Title of the type'),
          id: z.string(),
          name: z.string(),
          enabled: z.boolean(),
          sort_field: z.number().int(),
          last_match: z.boolean(),
          matches: z
            .number()
            .int()
            .nullable()
            .describe('Hosts among those counted that it hits; null for what does not run over hosts, or not now'),
        }),
      )
      .describe('In the order in which a host passes them'),
    counted: z.number().int().describe('Hosts that were looked at'),
    hosts: z.number().int().describe('Hosts that there are'),
    is_exact: z.boolean().describe('False where not all hosts were looked at'),
    inventory: z.string().nullable().describe('The provider that serves its hosts; null while the project is disabled'),
    exports: z.array(z.string()).describe('Accounts that hosts are exported to as the project makes them'),
  }),
  subject: ({ project }) => project,
  async run({ project, seconds = Infinity }, { services, caller, signal, progress }) {
    const { record, name, rules } = await rulesOfProject(services, caller, project);
    const isEnabled = name === null || memberFlag(record.document.value, 'enabled');
    const counter = await MatchCounter.of(isEnabled ? rules.filter(runsOverHosts).map(countedRule) : [], (target) =>
      services.evaluators.preview(name, target),
    );
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    const hosts = await services.storage.hosts.count(filter);
    const end = performance.now() + seconds * 1000;
    let counted = 0;
    for await (const batch of seconds > 0 ? services.storage.hosts.scan(filter, BATCH_SIZE) : []) {
      signal.throwIfAborted();
      for (const host of batch) counter.add(host);
      counted += batch.length;
      progress({ done: counted, total: hosts, unit: 'hosts' });
      if (performance.now() > end) break;
    }
    return {
      id: record.id,
      name: record.name,
      enabled: memberFlag(record.document.value, 'enabled'),
      rules: rules.map(({ type, record: { id }, envelope }) => ({
        rule_type: type.id,
        title: type.title,
        id,
        name: envelope.name,
        enabled: envelope.enabled,
        sort_field: envelope.sortField,
        last_match: envelope.lastMatch,
        matches: seconds > 0 ? (counter.of(type.id, id) ?? null) : null,
      })),
      counted,
      hosts,
      is_exact: counted >= hosts,
      inventory: isEnabled ? (name ?? 'automation') : null,
      exports: await exportsOf(services, caller, name),
    };
  },
});

function runsOverHosts({ type, record, envelope }: PlacedRule): boolean {
  if (type.evaluation === undefined || !envelope.enabled) return false;
  return type.takesList !== true || !isListRule(record.document.value);
}

function countedRule({ type, record: { id } }: PlacedRule) {
  return { type: type.id, id, target: type.evaluation?.target };
}

/** Accounts whose target takes the hosts of the project. One that cannot be opened names none. */
async function exportsOf({ targets }: RuleServices, caller: Caller, project: string | null): Promise<string[]> {
  const accounts: string[] = [];
  for (const account of await targets.accounts(caller)) {
    try {
      if ((await targets.explained(account, caller)).project === project) accounts.push(account);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return accounts;
}

/** A rule, and the type of targets that it is for. */
interface CountedRule {
  readonly type: string;
  readonly id: string;
  readonly target: string | undefined;
}

/** Counts for several rules of one project at once how many hosts each of them hits when all of them run. */
class MatchCounter {
  readonly #programs: readonly PreviewProgram[];
  readonly #matches: ReadonlyMap<string, { count: number; readonly program: PreviewProgram }>;

  private constructor(
    programs: readonly PreviewProgram[],
    matches: ReadonlyMap<string, { count: number; readonly program: PreviewProgram }>,
  ) {
    this.#programs = programs;
    this.#matches = matches;
  }

  /** Each type of targets has a program of its own. */
  static async of(
    rules: readonly CountedRule[],
    programOf: (target: string | undefined) => Promise<PreviewProgram>,
  ): Promise<MatchCounter> {
    const programs = new Map<string | undefined, PreviewProgram>();
    for (const target of new Set(rules.map((rule) => rule.target))) programs.set(target, await programOf(target));
    const matches = new Map<string, { count: number; readonly program: PreviewProgram }>();
    for (const { type, id, target } of rules) {
      const program = programs.get(target);
      if (program !== undefined) matches.set(`${type} ${id}`, { count: 0, program });
    }
    return new MatchCounter([...programs.values()], matches);
  }

  add(host: HostRecord): void {
    for (const program of this.#programs) {
      for (const { type, id, outcome } of program.explain(host).rules) {
        if (outcome !== 'hit') continue;
        const counted = this.#matches.get(`${type} ${id}`);
        if (counted?.program === program) counted.count++;
      }
    }
  }

  /** Hosts that the rule hit; `undefined` for one that is not counted. */
  of(type: string, id: string): number | undefined {
    return this.#matches.get(`${type} ${id}`)?.count;
  }
}
