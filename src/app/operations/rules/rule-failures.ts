import * as z from 'zod';
import { defineOperation } from '../../execution/operation.ts';

export const ruleFailures = defineOperation({
  name: 'rules/rule-failures',
  title: 'Failures of rules',
  description: 'Evaluates every host of a provider and counts what went wrong on each rule; stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'heavy',
  input: z.object({ project: z.string().optional().describe('Rules of this project; absent: of no project') }),
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
  async run({ project }, { services, caller, signal, progress }) {
    const program = await services.evaluators.forProject(project ?? null);
    let hosts = 0;
    for await (const batch of services.storage.hosts.scan(
      { scope: caller.scope, kind: 'hosts', state: 'active' },
      250,
    )) {
      signal.throwIfAborted();
      for (const host of batch) program.evaluate(host);
      hosts += batch.length;
      progress({ done: hosts, unit: 'hosts' });
    }
    return {
      hosts,
      failures: program.errors().map(({ type, id, name, errors, lastError, lastHostname }) => ({
        type,
        id,
        name,
        errors,
        last_error: lastError,
        last_hostname: lastHostname,
      })),
    };
  },
});
