import type { HistoryStore, HostRecord, HostStore, UndoEntry } from '../../ports/index.ts';

/** What a run did: by whom, and from when to when. */
export interface RunWindow {
  readonly accountId: string;
  /** As the history names it. */
  readonly account: string;
  readonly began: Date;
  readonly ended: Date;
}

const BATCH_SIZE = 500;

/** What the run did to each host at each moment, newest first, in batches. Hosts that it made are not among them. */
export async function* momentsOf(
  history: HistoryStore,
  { account, began, ended }: RunWindow,
): AsyncGenerator<readonly UndoEntry[], void, undefined> {
  let before = { at: new Date(ended.getTime() + 1), hostname: '' };
  for (;;) {
    const changes = await history.latest({ limit: BATCH_SIZE, from: began, before });
    const last = changes.at(-1);
    if (last === undefined) return;
    before = last;
    // What happened to one host at one moment comes together.
    const moments = new Map<string, { hostname: string; changes: UndoEntry['changes'][number][] }>();
    for (const { hostname, at, actor, kind, changes: values } of changes) {
      if (actor.kind !== 'account' || actor.name !== account) continue;
      const key = `${at.getTime()} ${hostname}`;
      const moment = moments.get(key) ?? { hostname, changes: [] };
      moment.changes.push({ kind, changes: values });
      moments.set(key, moment);
    }
    yield [...moments.values()];
  }
}

/** The hosts and objects that the run made and that are active, in batches. */
export async function* madeBy(
  hosts: HostStore,
  { accountId, began, ended }: RunWindow,
): AsyncGenerator<readonly UndoEntry[], void, undefined> {
  const scope = { accounts: [accountId], templates: null };
  for await (const batch of hosts.scan({ scope, kind: 'all', state: 'active' }, BATCH_SIZE)) {
    yield batch.filter((host) => isWithin(host, began, ended)).map(({ hostname }) => ({ hostname, changes: [MADE] }));
  }
}

const MADE = { kind: 'created', changes: [] } as const;

function isWithin({ createdAt }: HostRecord, began: Date, ended: Date): boolean {
  return createdAt >= began && createdAt <= ended;
}
