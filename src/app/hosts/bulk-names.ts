import * as z from 'zod';
import { phrase, schemaText, worded } from '../../kit/worded.ts';
import { hostnameSchema } from './host-schemas.ts';

/** One call is one atomic unit of the store, which others wait for. */
const MOST_HOSTS = 1000;
/** How many hosts the audit log names. */
const NAMED = 20;

/** Hosts on which one call acts; a name that comes twice counts once. */
export const bulkNames = z
  .array(hostnameSchema)
  .min(1, phrase`name at least one host`)
  .max(MOST_HOSTS, schemaText(worded`at most ${{ most: String(MOST_HOSTS) }} hosts are named in one call`))
  .transform((names) => [...new Set(names)])
  .describe('Names of the hosts');

/** For the audit log. */
export function namesWith(hostnames: readonly string[]): string {
  const rest = hostnames.length - NAMED;
  return rest <= 0 ? hostnames.join(', ') : `${hostnames.slice(0, NAMED).join(', ')} and ${rest} more`;
}
