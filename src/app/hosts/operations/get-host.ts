import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError, type HostRecord } from '../../../ports/index.ts';
import { hostScopeOf, type Limits } from '../../kernel/caller.ts';
import type { OperationContext } from '../../kernel/operation.ts';
import { shown } from '../decisions/check.ts';
import { likelySpellings, spellingDifference, spellingOf } from '../decisions/name-spelling.ts';
import { inScope } from '../decisions/scope.ts';
import { hostAnswer, hostAnswerText, hostnameSchema, hostSchema, sizeOfHost } from '../host-schemas.ts';
import { type KeyValues, keysOfMarks } from '../keys-of-hosts.ts';
import { fieldsSchema, shortenedHost, withFields } from '../partial-host.ts';
import type { HostServices } from '../services.ts';
import { defineOperation } from '../services.ts';
import { hostView } from '../views/host.ts';

export const getHost = defineOperation({
  name: 'hosts/get-host',
  title: 'Get host',
  description: 'Labels, inventory, last-seen timestamps and keys of one host.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    command: {
      words: 'host show',
      description: 'Show labels, inventory, times and keys of one host.',
      arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
      json: 'answer the host record as JSON',
      examples: ['muster host show web01.example.org', 'muster host show web01.example.org --json'],
      view: hostView,
    },
    rest: { path: 'GET /objects/:hostname', errors: ['not_found'], output: hostSchema },
    tool: { name: 'get_host' },
  },
  input: z.object({ hostname: hostnameSchema, fields: fieldsSchema }),
  output: hostSchema.extend({
    left_out: z.array(z.string()).optional().describe('Parts that were too large for the answer'),
  }),
  async run({ hostname, fields }, context) {
    const host = await findHost(hostname, context);
    const answer = hostAnswer(host, await keysOf(hostname, context));
    if (fields === undefined && context.answerCharacters === undefined) return answer;
    const shortened = shortenedHost(withFields(answer, fields), context.answerCharacters ?? Number.POSITIVE_INFINITY);
    // Members are missing only if the caller asked for fewer.
    const shown = shortened.host as typeof answer;
    return shortened.leftOut.length === 0 ? shown : { ...shown, left_out: [...shortened.leftOut] };
  },
  async json({ hostname }, context) {
    const host = await findHost(hostname, context);
    return hostAnswerText(host, await keysOf(hostname, context));
  },
});

async function findHost(
  hostname: string,
  { services, caller, holds }: OperationContext<HostServices>,
): Promise<HostRecord> {
  const host = await services.storage.hosts.get(hostname, hostScopeOf(caller));
  if (host === undefined) throw await unknownSpelling(hostname, services, caller);
  holds(sizeOfHost(host));
  return host;
}

async function keysOf(hostname: string, { services }: OperationContext<HostServices>): Promise<KeyValues | undefined> {
  const marks = await services.storage.marks.of([hostname]);
  return marks.length === 0 ? undefined : keysOfMarks(marks).get(hostname);
}

/** As `unknownHost`, with the host of the name in another spelling, if the caller may know of it. */
export async function unknownSpelling(
  hostname: string,
  { storage }: Pick<HostServices, 'storage'>,
  caller: Limits,
): Promise<AppError> {
  const common = spellingOf(hostname);
  const found = await storage.hosts.findEach(likelySpellings(hostname));
  const other = found.find(
    (host) => host !== undefined && spellingOf(host.hostname) === common && inScope(host, hostScopeOf(caller)),
  );
  if (other === undefined) return unknownHost(hostname);
  const difference = spellingDifference(hostname, other.hostname);
  return new AppError(
    'not_found',
    worded`there is no host ${{ hostname }}; there is ${{ name: shown(other.hostname) }}, which differs in ${{ difference }} alone`,
  );
}

/** The same words for hosts that do not exist and hosts that the caller may not know of. */
export function unknownHost(hostname: string): AppError {
  return new AppError('not_found', worded`there is no host ${{ hostname }}; list the hosts to see which exist`);
}
