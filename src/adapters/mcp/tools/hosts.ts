import * as z from 'zod';
import { type HostAnswer, hostnameSchema, labelsSchema } from '../../../app/hosts/host-schemas.ts';
import { deleteHost } from '../../../app/hosts/operations/delete-host.ts';
import { getHost } from '../../../app/hosts/operations/get-host.ts';
import { listHosts } from '../../../app/hosts/operations/list-hosts.ts';
import { saveHost } from '../../../app/hosts/operations/save-host.ts';
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
import { type ToolView, toolView } from '../tool.ts';
import { limitSchema, startSchema } from './paging.ts';

/** Hosts that are read at a time: an answer that is cut has not read many more than it shows. */
const STEP = 50;

export const hostToolViews: Readonly<Record<string, ToolView>> = {
  [listHosts.name]: toolView(
    z.strictObject({ start: startSchema, limit: limitSchema(10_000), fields: fieldsSchema }),
    z.object({
      results: z.array(partialHostSchema),
      start: z.number().int(),
      limit: z.number().int(),
      size: z.number().int().describe('Number of all hosts that the caller may see'),
      truncated: truncatedSchema,
    }),
    hostPage,
  ),
  [getHost.name]: toolView(
    z.strictObject({ hostname: hostnameSchema, fields: fieldsSchema }),
    partialHostSchema.extend({ truncated: truncatedSchema }),
    async ({ hostname, fields }, call) => {
      const { host, leftOut } = shortenedHost(withFields(await call.value(getHost, { hostname }), fields));
      return leftOut.length === 0 ? host : { ...host, truncated: partsLeftOut(host.hostname, leftOut) };
    },
  ),
  [saveHost.name]: toolView(
    z.strictObject({
      hostname: hostnameSchema,
      account: z.string().min(1).describe('Name of an existing account; see list_accounts'),
      labels: labelsSchema,
    }),
    z.object({ hostname: z.string(), status: z.literal('saved') }),
    async (input, call) => ({ hostname: input.hostname, ...(await call.value(saveHost, input)) }),
  ),
  [deleteHost.name]: toolView(
    z.strictObject({ hostname: hostnameSchema }),
    z.object({ hostname: z.string(), status: z.literal('deleted') }),
    async (input, call) => ({ hostname: input.hostname, ...(await call.value(deleteHost, input)) }),
  ),
};

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
    note: `Cut after ${shown === 1 ? 'one host' : `${shown} hosts`}, because an answer is limited to ${ANSWER_CHARACTERS} characters. Continue with start=${next}, or use fields to get less of each host.`,
    next_start: next,
  };
}

function partsLeftOut(hostname: string, leftOut: readonly string[]): Truncated {
  return {
    note: `Parts of ${hostname} are left out, because an answer is limited to ${ANSWER_CHARACTERS} characters. Get them one by one with get_host and fields; the resource service://hosts/${encodeURIComponent(hostname)} is never cut.`,
    left_out: [...leftOut],
  };
}
