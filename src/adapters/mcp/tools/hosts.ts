import * as z from 'zod';
import { deleteHost } from '../../../app/operations/hosts/delete-host.ts';
import { getHost } from '../../../app/operations/hosts/get-host.ts';
import { hostCounters } from '../../../app/operations/hosts/host-counters.ts';
import { listHosts } from '../../../app/operations/hosts/list-hosts.ts';
import { saveHost } from '../../../app/operations/hosts/save-host.ts';
import { saveInventory } from '../../../app/operations/hosts/save-inventory.ts';
import { type HostAnswer, hostnameSchema, labelsSchema, sectionSchema } from '../../../app/schemas.ts';
import { ANSWER_CHARACTERS, AnswerBudget, type Truncated, truncatedSchema } from '../answer-limit.ts';
import {
  type Fields,
  fieldsSchema,
  type PartialHost,
  partialHostSchema,
  shortenedHost,
  withFields,
} from '../host-members.ts';
import type { OperationCall } from '../operation-call.ts';
import { type Tool, tool } from '../tool.ts';
import { limitSchema, startSchema } from './paging.ts';

/** Hosts that are read at a time: an answer that is cut has not read many more than it shows. */
const STEP = 50;

const sectionKey = z.string().describe('Top-level key of the section, such as the name of the source system');

export const hostTools: readonly Tool[] = [
  tool(listHosts, {
    name: 'list_hosts',
    description:
      'A page of hosts by hostname, with labels and inventory. "size" counts all hosts; ask on with start. Hosts only, not objects.',
    input: z.strictObject({ start: startSchema, limit: limitSchema(10_000), fields: fieldsSchema }),
    output: z.object({
      results: z.array(partialHostSchema),
      start: z.number().int(),
      limit: z.number().int(),
      size: z.number().int().describe('Hosts in all that the caller may see'),
      truncated: truncatedSchema,
    }),
    run: hostPage,
  }),
  tool(getHost, {
    name: 'get_host',
    input: z.strictObject({ hostname: hostnameSchema, fields: fieldsSchema }),
    output: partialHostSchema.extend({ truncated: truncatedSchema }),
    async run({ hostname, fields }, call) {
      const { host, leftOut } = shortenedHost(withFields(await call.value(getHost, { hostname }), fields));
      return leftOut.length === 0 ? host : { ...host, truncated: partsLeftOut(host.hostname, leftOut) };
    },
  }),
  tool(saveHost, {
    name: 'upsert_host',
    description:
      'Creates a host and binds it to an account, or replaces all labels of a host that is bound to it. A host that is bound to another account is left alone: account_conflict.',
    replaces: true,
    idempotent: true,
    input: z.strictObject({
      hostname: hostnameSchema,
      account: z.string().min(1).describe('Name of an existing account; see list_accounts'),
      labels: labelsSchema,
    }),
    output: z.object({ hostname: z.string(), status: z.literal('saved') }),
    run: async (input, call) => ({ hostname: input.hostname, ...(await call.value(saveHost, input)) }),
  }),
  tool(deleteHost, {
    name: 'delete_host',
    idempotent: true,
    input: z.strictObject({ hostname: hostnameSchema }),
    output: z.object({ hostname: z.string(), status: z.literal('deleted') }),
    run: async (input, call) => ({ hostname: input.hostname, ...(await call.value(deleteHost, input)) }),
  }),
  tool(saveInventory, {
    name: 'update_host_inventory',
    replaces: true,
    idempotent: true,
    input: z.strictObject({ hostname: hostnameSchema, key: sectionKey, inventory: sectionSchema }),
    output: saveInventory.output,
    run: (input, call) => call.value(saveInventory, input),
  }),
  tool(hostCounters, {
    name: 'host_stats',
    input: z.strictObject({}),
    output: hostCounters.output,
    run: (input, call) => call.value(hostCounters, input),
  }),
];

interface HostPage {
  readonly results: PartialHost[];
  readonly start: number;
  readonly limit: number;
  readonly size: number;
  readonly truncated?: Truncated;
}

async function hostPage(
  { start, limit, fields }: { start: number; limit: number; fields?: Fields },
  call: OperationCall,
): Promise<HostPage> {
  const budget = new AnswerBudget();
  const results: PartialHost[] = [];
  let after: string | undefined;
  for (;;) {
    const step = Math.min(STEP, limit - results.length);
    const page = await readPage(call, start + results.length, step, after);
    const answer = { results, start, limit, size: page.size };
    for (const whole of page.results) {
      const host = withFields(whole, fields);
      if (budget.takes(host)) {
        results.push(host);
        continue;
      }
      if (results.length > 0) return { ...answer, truncated: hostsLeftOut(results.length, start) };
      const shortened = shortenedHost(host);
      results.push(shortened.host);
      return { ...answer, truncated: { ...hostsLeftOut(1, start), ...partsLeftOut(host.hostname, shortened.leftOut) } };
    }
    after = page.results.at(-1)?.hostname;
    if (page.results.length < step || results.length === limit) return answer;
  }
}

async function readPage(
  call: OperationCall,
  start: number,
  limit: number,
  after: string | undefined,
): Promise<{ results: HostAnswer[]; size: number }> {
  const place = after === undefined ? { start } : { start, after };
  const { text } = await call.text(listHosts, { ...place, limit }, Number.POSITIVE_INFINITY);
  return JSON.parse(text) as { results: HostAnswer[]; size: number };
}

function hostsLeftOut(shown: number, start: number): Truncated {
  const next = start + shown;
  return {
    note: `Cut behind ${shown === 1 ? 'one host' : `${shown} hosts`}, as an answer holds ${ANSWER_CHARACTERS} characters. Ask on with start=${next}, or for less of each host with fields.`,
    next_start: next,
  };
}

function partsLeftOut(hostname: string, leftOut: readonly string[]): Truncated {
  return {
    note: `Parts of ${hostname} are left out, as an answer holds ${ANSWER_CHARACTERS} characters. Ask get_host for them one by one with fields; the resource service://hosts/${encodeURIComponent(hostname)} is never cut.`,
    left_out: [...leftOut],
  };
}
