import {
  type ContributionDecision,
  contributionDecision,
  isWithdrawn,
} from '../../../app/hosts/decisions/contribution.ts';
import { ownerLayer } from '../../../app/hosts/decisions/label-layers.ts';
import type { ContributionOutcome, ContributionWrite, HostStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, HOSTS_A_BATCH } from './batches.ts';
import { type ContributionDoc, type HostDoc, layerDoc, layerOf, stateOf } from './documents.ts';
import { decideEntries, ownLabels, setContributions, setOwnLabels, showLabels } from './host-labels.ts';
import { changeHosts, type HostSlot } from './host-writer.ts';
import type { Context } from './session.ts';

export async function contributeLabels(context: Context, write: ContributionWrite): Promise<ContributionOutcome[]> {
  return decideEntries(context, write, (slot, labels) => contributeOne(slot, write, labels));
}

function contributeOne(slot: HostSlot, write: ContributionWrite, labels: string): ContributionOutcome {
  const { host } = slot;
  if (host === undefined) return 'not_found';
  const given = host.contributions?.find((item) => item.account === write.accountId);
  const own = ownLabels(host);
  const { outcome, gives } = contributionDecision(stateOf(host), write, labels, {
    given: () => given && layerOf(given),
    own: () => own,
    tooLarge: (as) => !slot.mayBecome(as === 'owner' ? own : (given?.labels ?? ''), labels),
  });
  if (gives === undefined) return outcome;
  if (contribute(slot, host, { outcome, gives, given, write, labels })) {
    host.lastUpdate = write.at;
    slot.visible = true;
  }
  return outcome;
}

interface Contributed extends Required<ContributionDecision> {
  /** What it gave so far. */
  readonly given: ContributionDoc | undefined;
  readonly write: ContributionWrite;
  readonly labels: string;
}

/** True when what consumers see changes. */
function contribute(slot: HostSlot, host: HostDoc, { outcome, gives, given, write, labels }: Contributed): boolean {
  if (gives.as === 'owner') {
    host.run = write.runId;
    return outcome === 'updated' && setOwnLabels(slot, host, labels, write.at);
  }
  const { accountId: account, precedence, runId: run } = write;
  const own = ownLabels(host);
  const ownersAt = (host.lastUpdate ?? host.createdAt).getTime();
  const layers = host.contributions ?? [layerDoc(ownerLayer(host.account, own, ownersAt))];
  const at = new Date(gives.at);
  const isSame = outcome === 'unchanged' && given !== undefined;
  const layer = isSame ? { ...given, at, run } : { account, precedence, owner: false, labels, at, run };
  setContributions(host, [...layers.filter((item) => item !== given), layer]);
  return !isSame && showLabels(slot, host, own);
}

type Withdrawal = Parameters<HostStore['withdrawContributions']>[0];

export async function withdrawContributions(context: Context, request: Withdrawal): Promise<number> {
  const except = new Set(request.except.map(wellFormed));
  let count = 0;
  const names: string[] = [];
  const cursor = context.database.hosts.find(
    { 'contributions.account': request.accountId },
    { projection: { _id: 1 }, batchSize: HOSTS_A_BATCH },
  );
  for await (const doc of cursor) if (!except.has(doc._id)) names.push(doc._id);
  for (const batch of batchesOf(names, HOSTS_A_BATCH)) count += await withdrawFrom(context, request, batch);
  return count;
}

async function withdrawFrom(context: Context, request: Withdrawal, hostnames: readonly string[]): Promise<number> {
  const answers = await changeHosts(context, {
    hostnames,
    read: ['labels', 'contributions'],
    at: request.at,
    actor: request.actor,
    decide: (slot) => withdrawOne(slot, request),
  });
  return [...answers.values()].filter(Boolean).length;
}

function withdrawOne(slot: HostSlot, request: Withdrawal): boolean {
  const { host } = slot;
  const given = host?.contributions?.find((item) => item.account === request.accountId);
  const withdrawal = { runId: request.runId ?? null, seenBefore: request.seenBefore?.getTime() ?? null };
  if (host === undefined || !isWithdrawn(stateOf(host), given && layerOf(given), withdrawal)) return false;
  const own = ownLabels(host);
  setContributions(
    host,
    (host.contributions ?? []).filter((item) => item !== given),
  );
  if (showLabels(slot, host, own)) {
    host.lastUpdate = request.at;
    if (!host.archived) slot.visible = true;
  }
  return true;
}
