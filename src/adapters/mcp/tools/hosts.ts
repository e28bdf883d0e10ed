import * as z from 'zod';
import { hostnameSchema, labelsSchema } from '../../../app/hosts/host-schemas.ts';
import { deleteHost } from '../../../app/hosts/operations/delete-host.ts';
import { getHost } from '../../../app/hosts/operations/get-host.ts';
import { listHosts } from '../../../app/hosts/operations/list-hosts.ts';
import { saveHost } from '../../../app/hosts/operations/save-host.ts';
import { type Fields, fieldsSchema, type PartialHost, partialHostSchema } from '../../../app/hosts/partial-host.ts';
import type { Truncated } from '../../../app/kernel/cut-answer.ts';
import { ANSWER_CHARACTERS } from '../answer-limit.ts';
import type { OperationCall } from '../operation-call.ts';
import { type ToolView, toolView } from '../tool.ts';
import { limitSchema, startSchema } from './paging.ts';

export const hostToolViews: Readonly<Record<string, ToolView>> = {
  [listHosts.name]: toolView(
    z.strictObject({ start: startSchema, limit: limitSchema(10_000), fields: fieldsSchema }),
    z.object({
      results: z.array(partialHostSchema),
      start: z.number().int(),
      limit: z.number().int(),
      size: z.number().int().describe('Number of all hosts that the caller may see'),
    }),
    hostPage,
  ),
  [getHost.name]: toolView(
    z.strictObject({ hostname: hostnameSchema, fields: fieldsSchema }),
    partialHostSchema,
    async (input, call) => {
      const { left_out, ...host }: Answered = await call.value(getHost, input);
      return left_out === undefined ? host : { ...host, truncated: partsLeftOut(host.hostname, left_out) };
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

/** Members may be missing if only some were requested. */
type Answered = PartialHost & { readonly left_out?: readonly string[] | undefined };

interface HostPage {
  readonly results: PartialHost[];
  readonly start: number;
  readonly limit: number;
  readonly size: number;
  readonly truncated?: Truncated;
}

/** The operation ends its answer once a tool has no room for more, so that it reads nothing that is not shown. */
async function hostPage(
  input: { start: number; limit: number; fields?: Fields },
  call: OperationCall,
): Promise<HostPage> {
  const { start, limit } = input;
  const { text } = await call.text(listHosts, input, Number.POSITIVE_INFINITY);
  const { results, size, left_out } = JSON.parse(text) as HostPage & { readonly left_out?: readonly string[] };
  const answer = { results, start, limit, size };
  const [only] = results;
  const isCut = results.length > 0 && results.length < Math.min(limit, size - start);
  const truncated = {
    ...(isCut || left_out !== undefined ? hostsLeftOut(results.length, start) : {}),
    ...(left_out !== undefined && only !== undefined ? partsLeftOut(only.hostname, left_out) : {}),
  };
  return 'note' in truncated ? { ...answer, truncated: truncated as Truncated } : answer;
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
    note: `Parts of ${hostname} are left out, because an answer is limited to ${ANSWER_CHARACTERS} characters. Get them one by one with get_host and fields; what is left out there too is in the resource service://hosts/${encodeURIComponent(hostname)}, which is never cut.`,
    left_out: [...leftOut],
  };
}
