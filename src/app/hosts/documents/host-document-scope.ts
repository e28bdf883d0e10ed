import { memberText } from '../../../kit/document/members.ts';
import { namedTemplates, templatesOf } from '../../../kit/document/templates.ts';
import {
  AppError,
  type ErrorDetail,
  type HostDocumentWrite,
  type HostRecord,
  type HostScope,
  type RuleDocument,
} from '../../../ports/index.ts';
import { type Caller, hostScopeOf, type Limits } from '../../kernel/caller.ts';
import { inScope } from '../decisions/scope.ts';
import type { HostServices } from '../services.ts';
import {
  accountOf,
  accountsByReference,
  edgesByHost,
  hostnameOf,
  inBatches,
  relationsOf,
} from './host-document-members.ts';

/**
 * Refuses the whole import, before any of it is written, if a caller restricted to accounts would write other hosts: each
 * document must name one of these accounts, and an existing host must belong to one. The same holds for templates, and a caller
 * cannot give a host a template outside the restriction.
 */
export async function refuseForeignHosts(
  services: HostServices,
  caller: Caller,
  documents: readonly { readonly document: RuleDocument }[],
): Promise<void> {
  const scope = hostScopeOf(caller);
  if (scope === null) return;
  const own = new Set(documents.map(({ document }) => hostnameOf(document)));
  for (const batch of inBatches(documents)) {
    const hostnames = batch.map(({ document }) => hostnameOf(document));
    const present = await services.storage.hosts.findEach(hostnames);
    const accounts = await accountsByReference(services);
    for (const [index, { document }] of batch.entries()) {
      const existing = present[index];
      const named = accountOf(accounts, document)?.id ?? null;
      if (scope.accounts !== null && (named === null || !scope.accounts.includes(named))) {
        throw beyondScope(document, '', NOT_OF_ACCOUNT);
      }
      refuseForeignTemplates(document, existing, caller);
      if (existing !== undefined && !inScope(existing, scope)) {
        throw beyondScope(document, '', scope.accounts === null ? NOT_OF_TEMPLATE : NOT_OF_ACCOUNT);
      }
      // Seats of a pool are shared by all users, and are freed by deleting the host.
      if (memberText(document, 'folder') !== (existing?.folder ?? '')) {
        throw beyondScope(document, 'folder', 'would take a seat of a folder pool, or leave one');
      }
    }
    await refuseForeignTargets(services, scope, batch, own);
  }
}

/** Why a host that moved to others while the import ran was left alone. */
export function movedAway(document: RuleDocument, caller: Caller): ErrorDetail {
  return { path: hostnameOf(document), message: caller.scope === null ? NOT_OF_TEMPLATE : NOT_OF_ACCOUNT };
}

const NOT_OF_ACCOUNT = 'is not of an account of yours';
const NOT_OF_TEMPLATE = 'is not of a template of yours';

/** One of the caller's own templates must stay or come; further ones may stay, and none comes that is not the caller's. */
function refuseForeignTemplates(document: RuleDocument, existing: HostRecord | undefined, { templates }: Limits): void {
  if (templates === null) return;
  const named = namedTemplates(document);
  if (!named.some((template) => templates.includes(template))) throw beyondScope(document, '', NOT_OF_TEMPLATE);
  // A host that the caller does not reach is refused with the same words, whatever templates it has.
  const kept = new Set(existing === undefined ? [] : templatesOf(existing.members.text));
  if (named.every((template) => templates.includes(template) || kept.has(template))) return;
  throw beyondScope(document, '', NOT_OF_TEMPLATE);
}

/** An edge shows at its other end too. Targets are hosts that the caller sees, or that come with the same import. */
async function refuseForeignTargets(
  { storage }: HostServices,
  scope: HostScope,
  batch: readonly { readonly document: RuleDocument }[],
  own: ReadonlySet<string>,
): Promise<void> {
  const targets = batch.flatMap(({ document }) => relationsOf(document).map(({ target }) => target));
  const visible = await storage.hosts.visible([...new Set(targets.filter((target) => !own.has(target)))], scope);
  for (const { document } of batch) {
    for (const { target } of relationsOf(document)) {
      if (own.has(target) || visible.has(target)) continue;
      throw beyondScope(document, 'relations', `has a relation to ${target}, which is not one of your hosts`);
    }
  }
}

function beyondScope(document: RuleDocument, member: string, problem: string): AppError {
  const hostname = hostnameOf(document);
  return new AppError('forbidden', `host ${hostname} ${problem}; nothing was imported`, {
    details: [{ path: member === '' ? hostname : `${hostname}.${member}`, message: problem }],
  });
}

/** Edges that the caller cannot see stay, as they would if the caller changed the others one by one. */
export async function withHiddenEdges(
  { storage }: HostServices,
  caller: Caller,
  writes: readonly HostDocumentWrite[],
): Promise<readonly HostDocumentWrite[]> {
  const scope = hostScopeOf(caller);
  if (scope === null) return writes;
  const stored = await storage.relations.of(writes.map(({ record }) => record.hostname));
  const visible = await storage.hosts.visible([...new Set(stored.map(({ target }) => target))], scope);
  const hidden = edgesByHost(stored.filter(({ target }) => !visible.has(target)));
  return writes.map((write) => {
    const edges = hidden.get(write.record.hostname) ?? [];
    return { ...write, relations: [...write.relations, ...edges.map(({ hostname: _, ...edge }) => edge)] };
  });
}
