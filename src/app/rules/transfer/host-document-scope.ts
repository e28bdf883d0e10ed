import { AppError, type HostDocumentWrite, type RuleDocument } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { memberText } from '../document/members.ts';
import type { RuleServices } from '../services.ts';
import {
  accountOf,
  accountsByReference,
  edgesByHost,
  hostnameOf,
  inBatches,
  relationsOf,
} from './host-document-members.ts';

/**
 * Who is restricted to accounts writes hosts of those only: the document must name one of them, and a host that is there
 * must belong to one. Refuses the whole import, before anything of it is written.
 */
export async function refuseForeignHosts(
  services: RuleServices,
  caller: Caller,
  documents: readonly { readonly document: RuleDocument }[],
): Promise<void> {
  const { scope } = caller;
  if (scope === null) return;
  const own = new Set(documents.map(({ document }) => hostnameOf(document)));
  for (const batch of inBatches(documents)) {
    const hostnames = batch.map(({ document }) => hostnameOf(document));
    const present = await services.storage.hosts.findEach(hostnames);
    const accounts = await accountsByReference(services);
    for (const [index, { document }] of batch.entries()) {
      const existing = present[index];
      const named = accountOf(accounts, document)?.id ?? null;
      const owners = existing === undefined ? [named] : [named, existing.accountId];
      if (!owners.every((id) => id !== null && scope.includes(id))) {
        throw beyondScope(document, '', 'is not of an account of yours');
      }
      // The seat in the pool is everybody's, and whoever deletes the host gives it back.
      if (memberText(document, 'folder') !== (existing?.folder ?? '')) {
        throw beyondScope(document, 'folder', 'would take a seat of a folder pool, or leave one');
      }
    }
    await refuseForeignTargets(services, scope, batch, own);
  }
}

/** An edge shows at its other end too. Targets are hosts that the caller sees, or that come with the same import. */
async function refuseForeignTargets(
  { storage }: RuleServices,
  scope: readonly string[],
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
  { storage }: RuleServices,
  { scope }: Caller,
  writes: readonly HostDocumentWrite[],
): Promise<readonly HostDocumentWrite[]> {
  if (scope === null) return writes;
  const stored = await storage.relations.of(writes.map(({ record }) => record.hostname));
  const visible = await storage.hosts.visible([...new Set(stored.map(({ target }) => target))], scope);
  const hidden = edgesByHost(stored.filter(({ target }) => !visible.has(target)));
  return writes.map((write) => {
    const edges = hidden.get(write.record.hostname) ?? [];
    return { ...write, relations: [...write.relations, ...edges.map(({ hostname: _, ...edge }) => edge)] };
  });
}
