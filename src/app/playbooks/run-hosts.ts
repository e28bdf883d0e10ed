import * as z from 'zod';
import { byBytes } from '../../kit/names/variable-names.ts';
import { detailOf, worded } from '../../kit/worded.ts';
import { AppError, type Playbook } from '../../ports/index.ts';
import { providerName } from '../inventory/provider-name.ts';
import { renderMode } from '../inventory/render-mode.ts';
import { hostScopeOf } from '../kernel/caller.ts';
import { projectOf } from '../rules/project-of.ts';
import type { HostSearchCall } from '../runs/run-parts.ts';
import { requirePlaybook } from './manifest.ts';

/** The playbook and its hosts. */
export const runHostsInput = z.object({
  playbook: z.string().trim().min(1).describe('Its file, or its name'),
  host: z.string().trim().min(1).optional().describe('Only for this host; without it for the whole inventory'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Only for hosts of the inventory that this search finds: rack:R04 state:active'),
  group: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('Only for hosts in this group of the inventory, or in one below it'),
  provider: z.string().trim().min(1).optional().describe('The inventory provider; without it that of the manifest'),
});

export interface RunHosts {
  readonly playbook: Playbook;
  readonly provider: string;
  /** In byte order. */
  readonly hostnames: readonly string[];
  /** Hosts of the whole inventory. */
  readonly total: number;
}

const BATCH_SIZE = 250;

/** Finds the hosts of a run as of now. Throws if there are none, or if they cannot be determined. */
export async function hostsOfRun(input: z.output<typeof runHostsInput>, call: HostSearchCall): Promise<RunHosts> {
  const { services, caller, signal } = call;
  const { host, search, group } = input;
  if (host !== undefined && (search ?? group) !== undefined) {
    const said = worded`host names the only host; leave out search and group, or leave out host`;
    throw new AppError('invalid_input', said, { details: [detailOf('host', said)] });
  }
  const { playbook, provider } = await chosenPlaybook(input, call);
  const render = { ...renderMode(services, caller), ansibleLabels: 'drop' } as const;
  const index = await services.inventories.index({ provider, request: { scope: hostScopeOf(caller), signal }, render });
  const found = search === undefined ? undefined : await searched(search, provider, call);
  if (found?.asksInventory === true) await requireDecided(provider, call);
  const hosts = index.hosts.filter(
    (each) =>
      (host === undefined || each.hostname === host) &&
      (group === undefined || index.isIn(each, group)) &&
      (found === undefined || found.hostnames.has(each.hostname)),
  );
  if (hosts.length === 0) throw noHosts(provider, input);
  const hostnames = [...new Set(hosts.map(({ hostname }) => hostname))].sort(byBytes);
  return { playbook, provider, hostnames, total: index.hosts.length };
}

/** Throws `not_found` where the manifest has no such playbook, or there is no such inventory. */
export async function chosenPlaybook(
  { playbook: wanted, provider: chosen }: Pick<z.output<typeof runHostsInput>, 'playbook' | 'provider'>,
  { services }: Pick<HostSearchCall, 'services'>,
): Promise<{ readonly playbook: Playbook; readonly provider: string }> {
  const playbook = requirePlaybook(await services.playbooks.list(), wanted);
  const provider = providerName(chosen ?? playbook.inventory);
  const providers = await services.inventories.names();
  if (providers.includes(provider)) return { playbook, provider };
  throw new AppError(
    'not_found',
    worded`there is no inventory provider ${{ provider }}; known ones: ${{ known: providers.join(', ') }}`,
  );
}

async function searched(where: string, provider: string, call: HostSearchCall) {
  const [find] = call.services.features.flatMap(({ hostsOfSearch }) => hostsOfSearch ?? []);
  if (find === undefined)
    throw new AppError('failed', worded`this program has no searches; limit the run to a group or to one host`);
  try {
    return await find({ where, provider }, call);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    const details = error.details.map((detail) => ({ ...detail, path: 'search' }));
    throw new AppError('invalid_input', error.wording ?? error.message, { details });
  }
}

/**
 * Requires that no rule of the inventory fails. A host on which a rule fails lacks groups and values, and `NOT group:web` would find it.
 * A limit to a group needs no such check: the inventory itself lists the hosts of the group.
 */
async function requireDecided(provider: string, { services, caller, signal, progress }: HostSearchCall): Promise<void> {
  if (!(await services.inventories.isOfRules(provider))) return;
  const program = await services.evaluators.uncounted(projectOf(provider));
  let done = 0;
  const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
  for await (const hosts of services.storage.hosts.scan(filter, BATCH_SIZE)) {
    signal.throwIfAborted();
    for (const host of hosts) program.evaluate(host);
    done += hosts.length;
    progress({ done, unit: 'hosts' });
  }
  if (filter.scope === null) for (const hostname of program.rowNames) program.evaluateRow(hostname);
  const [failure] = program.errors();
  if (failure === undefined) return;
  const { name: rule, lastHostname: hostname, lastError: reason } = failure;
  throw new AppError(
    'failed',
    worded`it is not known which hosts these are: the rule ${{ rule }} fails on ${{ hostname }}: ${{ reason }}; correct it, or limit the run to a group, to hosts of a label or to one host`,
  );
}

function noHosts(provider: string, { host, search, group }: z.output<typeof runHostsInput>): AppError {
  if (host !== undefined)
    return new AppError('not_found', worded`inventory provider ${{ provider }} has no host ${{ hostname: host }}`);
  if (search !== undefined) {
    const said = worded`the search ${{ search }} finds no such host of the inventory ${{ provider }}, so nothing is run`;
    return new AppError('invalid_input', said, { details: [detailOf('search', said)] });
  }
  if (group === undefined) {
    const said = worded`the inventory ${{ provider }} has no hosts, so nothing is run; import hosts, or look at the rules that filter this inventory`;
    return new AppError('conflict', said);
  }
  const said = worded`the inventory ${{ provider }} has no host in the group ${{ group }}, so nothing is run`;
  return new AppError('invalid_input', said, { details: [detailOf('group', said)] });
}
