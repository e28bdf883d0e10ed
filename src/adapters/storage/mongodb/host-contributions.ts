import { sameJson } from '../../../app/kernel/json/json-text.ts';
import type { ContributionOutcome, ContributionWrite, HostStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, HOSTS_A_BATCH } from './batches.ts';
import type { HostDoc } from './documents.ts';
import {
  decideEntries,
  OWNER_PRECEDENCE,
  ownLabels,
  setContributions,
  setOwnLabels,
  showLabels,
} from './host-labels.ts';
import { changeHosts, type HostSlot } from './host-writer.ts';
import type { Context } from './session.ts';

export async function contributeLabels(context: Context, write: ContributionWrite): Promise<ContributionOutcome[]> {
  return decideEntries(context, write, (slot, labels) => contributeOne(slot, write, labels));
}

function contributeOne(slot: HostSlot, write: ContributionWrite, labels: string): ContributionOutcome {
  const { host } = slot;
  if (host === undefined || host.archived) return 'not_found';
  if (host.account === write.accountId) return writeOwn(slot, host, write, labels);
  const present = host.contributions?.find((item) => item.account === write.accountId);
  if (present?.run === write.runId) return 'duplicate';
  const others = (host.contributions ?? [ownLayer(host)]).filter((item) => item !== present);
  if (present?.precedence === write.precedence && sameJson(present.labels, labels)) {
    setContributions(host, [...others, { ...present, at: laterOf(present.at, write.at), run: write.runId }]);
    return 'unchanged';
  }
  if (!slot.mayBecome(present?.labels ?? '', labels)) return 'too_large';
  const { accountId: account, precedence, runId: run } = write;
  const at = present === undefined ? write.at : laterOf(present.at, write.at);
  const own = ownLabels(host);
  setContributions(host, [...others, { account, precedence, owner: false, labels, at, run }]);
  if (showLabels(slot, host, own)) {
    host.lastUpdate = write.at;
    slot.visible = true;
  }
  return 'updated';
}

/** An account that contributes to a host which it owns by now gives the owner's labels. */
function writeOwn(slot: HostSlot, host: HostDoc, write: ContributionWrite, labels: string): ContributionOutcome {
  if (host.run === write.runId) return 'duplicate';
  if (!slot.mayBecome(ownLabels(host), labels)) return 'too_large';
  host.run = write.runId;
  if (sameJson(ownLabels(host), labels)) return 'unchanged';
  if (setOwnLabels(slot, host, labels, write.at)) {
    host.lastUpdate = write.at;
    slot.visible = true;
  }
  return 'updated';
}

function laterOf(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function ownLayer(host: HostDoc): NonNullable<HostDoc['contributions']>[number] {
  return {
    account: host.account ?? '',
    precedence: OWNER_PRECEDENCE,
    owner: true,
    labels: host.labels,
    at: host.lastUpdate ?? host.createdAt,
    run: null,
  };
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
  const present = host?.contributions?.find((item) => item.account === request.accountId);
  if (host === undefined || present === undefined || present.owner) return false;
  if (request.runId !== undefined && (present.run === request.runId || host.archived)) return false;
  if (request.seenBefore !== undefined && present.at >= request.seenBefore) return false;
  const own = ownLabels(host);
  const rest = (host.contributions ?? []).filter((item) => item !== present);
  setContributions(host, rest.some((item) => !item.owner) ? rest : []);
  if (showLabels(slot, host, own)) {
    host.lastUpdate = request.at;
    if (!host.archived) slot.visible = true;
  }
  return true;
}
