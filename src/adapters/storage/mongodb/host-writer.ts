import type { NamedChange } from '../../../app/hosts/decisions/named-change.ts';
import type { HostsRequest } from '../shared/host-writes.ts';
import { batchesOf, HOSTS_A_BATCH } from './batches.ts';
import { unavailable } from './errors.ts';
import { closeRows, openRows } from './feed-rows.ts';
import { forget, writeHosts } from './host-commit.ts';
import { type HostWork, isSame, notesOf, type Planned, planHosts } from './host-plan.ts';
import { addRelations, type RelationsWork, removeRelations } from './host-relations.ts';
import { afterTurn, pause } from './pause.ts';
import { applyPendingEffects } from './pending-effects.ts';
import type { Context } from './session.ts';

/** State known after hosts are written. */
interface Settled<T> extends RelationsWork {
  readonly answers: Map<string, T>;
  owesEffects: boolean;
}

/** Every round has a winner, so only hosts that dozens of nodes write all the time reach this limit. */
const LONGEST_CONTEST_MS = 15_000;
/**
 * Lets a change decide on each host and writes the differences, in batches, each host by compare-and-set on its version, so that
 * no write undoes another. Hosts that were changed by others in the meantime are read and decided again. The entries of one host
 * are decided in order and written once.
 */
export async function changeHosts<Message, Entry, Outcome>(
  context: Context,
  change: NamedChange<Message, Entry, Outcome>,
  { message, hostnames, entries, texts }: HostsRequest<Message, Entry>,
): Promise<Outcome[]> {
  for (const text of texts) JSON.parse(text);
  const decide = change.deciding(message);
  const said = new Map<string, { readonly places: number[]; readonly entries: Entry[] }>();
  entries.forEach((entry, place) => {
    const hostname = hostnames[place] ?? '';
    const about = said.get(hostname);
    if (about === undefined) said.set(hostname, { places: [place], entries: [entry] });
    else {
      about.places.push(place);
      about.entries.push(entry);
    }
  });
  const answers = await changeInTurn(context, {
    hostnames: [...said.keys()],
    reads: change.reads,
    decide: (draft) => (said.get(draft.hostname)?.entries ?? []).map((entry) => decide(draft, entry)),
  });
  const outcomes = new Array<Outcome>(entries.length);
  for (const [hostname, answer] of answers) {
    const places = said.get(hostname)?.places ?? [];
    answer.forEach((outcome, index) => {
      outcomes[places[index] ?? index] = outcome;
    });
  }
  return outcomes;
}

async function changeInTurn<T>(context: Context, work: HostWork<T>): Promise<ReadonlyMap<string, T>> {
  const [only, ...others] = work.hostnames;
  if (only === undefined || others.length > 0) return changeInBatches(context, work);
  return inTurn(context, only, () => changeInBatches(context, work));
}

/** Writers of one host on this node, so that they wait for each other instead of losing to each other. */
const turns = new WeakMap<Context, Map<string, Promise<unknown>>>();

async function inTurn<T>(context: Context, hostname: string, work: () => Promise<T>): Promise<T> {
  const queues = turns.get(context) ?? new Map<string, Promise<unknown>>();
  turns.set(context, queues);
  const before = queues.get(hostname);
  const mine = before === undefined ? work() : afterTurn(before, work);
  queues.set(hostname, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(hostname) === mine) queues.delete(hostname);
  }
}

async function changeInBatches<T>(context: Context, work: HostWork<T>): Promise<ReadonlyMap<string, T>> {
  const settled: Settled<T> = { answers: new Map(), relations: new Map(), added: new Map(), owesEffects: false };
  await context.revisions.changingHosts(context.database, async (announce) => {
    // In one order for all writers, so that two with the same hosts meet at the first of them, and not at many.
    for (const batch of batchesOf([...work.hostnames].sort(), HOSTS_A_BATCH)) {
      await changeBatch(context, { ...work, hostnames: batch }, announce, settled);
    }
  });
  await removeRelations(context, settled);
  if (settled.owesEffects) await applyPendingEffects(context);
  return settled.answers;
}

async function changeBatch<T>(
  context: Context,
  work: HostWork<T>,
  announce: () => Promise<void>,
  settled: Settled<T>,
): Promise<void> {
  const deadline = performance.now() + LONGEST_CONTEST_MS;
  let open = work.hostnames;
  for (let attempt = 0; ; attempt++) {
    const planned: Planned<T>[] = [];
    for (const plan of await planHosts(context, work, open)) {
      if (isSame(plan)) settle(plan, settled);
      else planned.push(plan);
    }
    if (planned.length === 0) return;
    if (planned.some((plan) => plan.draft.visible)) await announce();
    const history = planned.flatMap((plan) => plan.history);
    if (history.length > 0) await context.database.history.insertMany(history, { ordered: false });
    const drafts = planned.map((plan) => plan.draft);
    await addRelations(context, drafts, settled);
    const rows = await openRows(context, planned.flatMap(notesOf));
    const lost = await writeHosts(context, planned);
    await closeRows(context, rows, new Set([...lost].map(({ draft }) => draft.hostname)));
    for (const plan of planned) if (!lost.has(plan)) settle(plan, settled);
    if (lost.size === 0) return;
    await forget(
      context,
      [...lost].flatMap((plan) => plan.history),
    );
    open = [...lost].map((plan) => plan.draft.hostname);
    if (performance.now() > deadline) {
      throw unavailable('Too many others are changing the same hosts. Try again shortly.');
    }
    await pause(attempt, 30);
  }
}

function settle<T>({ draft, answer }: Planned<T>, settled: Settled<T>): void {
  settled.answers.set(draft.hostname, answer);
  if (draft.relations !== undefined) settled.relations.set(draft.hostname, draft.relations);
  if (draft.effects.length > 0) settled.owesEffects = true;
}
