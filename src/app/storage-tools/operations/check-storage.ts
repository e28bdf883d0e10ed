import * as z from 'zod';
import type { MaintenanceServices } from '../../maintenance/services.ts';
import { defineStreamOperation } from '../../maintenance/services.ts';
import { storageProblems } from '../storage-problems.ts';

export const checkStorage = defineStreamOperation({
  name: 'storage/check-storage',
  title: 'Check storage',
  description:
    'Goes through everything that is stored and lists what is damaged, inconsistent or refers to something missing; repairs what can be repaired without loss.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {},
  input: z.object({ fix: z.boolean().default(false).describe('Repairs what can be repaired without loss') }),
  output: z.object({
    problems: z.array(z.object({ subject: z.string(), message: z.string(), fixed: z.boolean() })),
    found: z.number().int(),
    fixed: z.number().int(),
  }),
  async run({ fix }, { services, signal }) {
    return { mediaType: 'application/json', unchanged: false, body: body(services, fix, signal) };
  },
});

/** One problem a line, so that a reader can show each as it comes. */
async function* body(services: MaintenanceServices, fix: boolean, signal: AbortSignal): AsyncGenerator<string> {
  let found = 0;
  let fixed = 0;
  yield '{"problems":[';
  for await (const problem of storageProblems(services, { fix, signal })) {
    yield `${found === 0 ? '' : ','}\n${JSON.stringify(problem)}`;
    found++;
    if (problem.fixed) fixed++;
  }
  yield `\n],"found":${found},"fixed":${fixed}}\n`;
}
