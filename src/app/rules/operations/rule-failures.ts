import * as z from 'zod';
import { saidFault } from '../../../kit/template-fault.ts';
import { messageOf, wordingFor } from '../../../kit/worded.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import type { RuleFailure } from '../engine/rule-failures.ts';
import { defineOperation } from '../services.ts';

export const ruleFailures = defineOperation({
  name: 'rules/rule-failures',
  title: 'Failures of rules',
  description: 'Evaluates every host of a provider and counts what went wrong on each rule; stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: z.object({
    project: z.string().optional().describe('Rules of this project; absent: of no project'),
    every_project: z.boolean().default(false).describe('Rules of all projects and of none'),
  }),
  output: z.object({
    hosts: z.number().int(),
    failures: z.array(
      z.object({
        type: z.string(),
        id: z.string(),
        name: z.string(),
        errors: z.number().int(),
        last_error: z.string(),
        last_hostname: z.string(),
      }),
    ),
  }),
  async run({ project = null, every_project }, { services, caller, signal, progress }) {
    const { evaluators } = services;
    const projects = every_project ? [null, ...(await evaluators.projects())] : [project];
    const programs = await Promise.all(projects.map((name) => evaluators.uncounted(name)));
    let hosts = 0;
    for await (const batch of services.storage.hosts.scan(
      { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' },
      250,
    )) {
      signal.throwIfAborted();
      for (const host of batch) for (const program of programs) program.evaluate(host);
      hosts += batch.length;
      progress({ done: hosts, unit: 'hosts' });
    }
    return {
      hosts,
      failures: mostOfEachRule(programs.flatMap((program) => program.errors())).map(
        ({ type, id, name, errors, lastError, lastHostname }) => ({
          type,
          id,
          name,
          errors,
          last_error: lastError,
          ...wordingFor(caller, messageOf(saidFault(lastError)).wording),
          last_hostname: lastHostname,
        }),
      ),
    };
  },
});

/** A rule of no project runs in every one, so that several programs count it. */
function mostOfEachRule(failures: readonly RuleFailure[]): readonly RuleFailure[] {
  const most = new Map<string, RuleFailure>();
  for (const failure of failures) {
    const key = `${failure.type} ${failure.id}`;
    if ((most.get(key)?.errors ?? 0) < failure.errors) most.set(key, failure);
  }
  return [...most.values()];
}
