import { setImmediate } from 'node:timers/promises';
import type {
  Actor,
  Clock,
  HistoryStore,
  HostRecord,
  HostRename,
  HostStore,
  RenameOutcome,
  UndoEntry,
  UndoOutcome,
} from '../../ports/index.ts';

/** How many items of each kind a report names. */
const MOST_NAMED = 100;

export interface UndoReport {
  /** Hosts whose labels, sections or owner are as they were. */
  changed: number;
  /** Hosts that the run had made, and that are in the archive now. */
  archived: number;
  /** Hosts that the run had archived. */
  restored: number;
  /** Hosts that have their old names. */
  renamed: number;
  /** Nothing was to do for them: they were as before already. */
  unchanged: number;
  /** Hosts that something else changed since, or that are gone. */
  left: number;
  /** The first that are as they were. */
  readonly hostnames: string[];
  /** The first that were left alone. */
  readonly leftAlone: { readonly hostname: string; readonly reason: string }[];
}

interface UndoDeps {
  readonly hosts: HostStore;
  readonly history: HistoryStore;
  readonly clock: Clock;
}

interface UndoRequest {
  readonly run: RunWindow;
  readonly actor: Actor;
  readonly preview: boolean;
  /** If true, undoes only the archiving of hosts. */
  readonly onlyArchived: boolean;
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/**
 * Undoes the changes an import made to hosts, the newest first. Later changes by others are left alone. If cancelled or killed,
 * it can be requested again: hosts that were already undone stay as they are.
 */
export async function undoRun(deps: UndoDeps, request: UndoRequest): Promise<UndoReport> {
  const { hosts, history } = deps;
  const report = {
    changed: 0,
    archived: 0,
    restored: 0,
    renamed: 0,
    unchanged: 0,
    left: 0,
    hostnames: [],
    leftAlone: [],
  };
  const undoing = new Undoing(deps, request, report);
  // Before any of their other changes is undone, which would count as a change since the run.
  if (!request.onlyArchived) for await (const entries of madeBy(hosts, request.run)) await undoing.takeMade(entries);
  for await (const entries of momentsOf(history, request.run)) {
    await undoing.take(request.onlyArchived ? entries.flatMap(archivingOf) : entries);
  }
  return report;
}

class Undoing {
  readonly #deps: UndoDeps;
  readonly #request: UndoRequest;
  readonly #report: UndoReport;
  /** Names that hosts have again. Their history went with them, so that the next page may tell of the rename once more. */
  readonly #renamed = new Set<string>();
  /** Hosts that the run made: they are archived or left alone as a whole. */
  readonly #made = new Set<string>();
  #done = 0;

  constructor(deps: UndoDeps, request: UndoRequest, report: UndoReport) {
    this.#deps = deps;
    this.#request = request;
    this.#report = report;
  }

  async takeMade(entries: readonly UndoEntry[]): Promise<void> {
    for (const { hostname } of entries) this.#made.add(hostname);
    await this.#take(entries);
  }

  take(entries: readonly UndoEntry[]): Promise<void> {
    return this.#take(entries.filter(({ hostname }) => !this.#made.has(hostname)));
  }

  async #take(entries: readonly UndoEntry[]): Promise<void> {
    const { signal, progress } = this.#request;
    signal.throwIfAborted();
    await this.#undo(entries.flatMap(withoutRename));
    await this.#rename(entries.flatMap(renameOf));
    this.#done += entries.length;
    progress(this.#done);
    // A store in this process answers at once, and other requests would have to wait until the end.
    await setImmediate();
  }

  async #undo(entries: readonly UndoEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { run, actor, preview } = this.#request;
    const { accountId, began, ended } = run;
    const at = this.#deps.clock.now();
    const outcomes = await this.#deps.hosts.undo({ accountId, began, ended, entries, at, actor, preview });
    for (const [place, entry] of entries.entries()) this.#count(entry, outcomes[place] ?? 'not_found');
  }

  /** A host renamed several times gets its oldest name at once. Its older changes are reported under that name then. */
  async #rename(entries: readonly RenameEntry[]): Promise<void> {
    const names = new Map<string, string>();
    const open: RenameEntry[] = [];
    for (const entry of entries) {
      const { hostname, before, after } = entry;
      const name = names.get(hostname) ?? hostname;
      if (after === name) {
        names.set(hostname, before);
        open.push(entry);
      } else if (!this.#renamed.has(hostname)) this.#count(entry, before === name ? 'unchanged' : 'changed');
    }
    const renames = [...names].map(([from, to]) => ({ from, to })).filter(({ from, to }) => from !== to);
    if (open.length === 0) return;
    const outcomes = await (this.#request.preview ? this.#askNames(renames) : this.#renameBack(renames));
    const outcomeOf = new Map(renames.map(({ from }, place) => [from, outcomes[place]]));
    for (const entry of open) this.#count(entry, outcomeOf.get(entry.hostname) ?? 'unchanged');
  }

  async #askNames(renames: readonly HostRename[]): Promise<readonly UndoOutcome[]> {
    const taken = await this.#deps.hosts.findEach(renames.map(({ to }) => to));
    return taken.map((host) => (host === undefined ? 'undone' : 'changed'));
  }

  async #renameBack(renames: readonly HostRename[]): Promise<readonly UndoOutcome[]> {
    const at = this.#deps.clock.now();
    const outcomes = await this.#deps.hosts.rename({ hosts: renames, at, actor: this.#request.actor });
    for (const [place, { to }] of renames.entries()) if (outcomes[place] === 'renamed') this.#renamed.add(to);
    return outcomes.map((outcome) => OUTCOMES[outcome]);
  }

  #count(entry: UndoEntry, outcome: UndoOutcome): void {
    const { hostname } = entry;
    const report = this.#report;
    if (outcome === 'unchanged') report.unchanged++;
    else if (outcome === 'undone') {
      report[countedAs(entry)]++;
      if (report.hostnames.length < MOST_NAMED) report.hostnames.push(hostname);
    } else {
      report.left++;
      if (report.leftAlone.length < MOST_NAMED) report.leftAlone.push({ hostname, reason: reasonOf(entry, outcome) });
    }
  }
}

const OUTCOMES: Readonly<Record<RenameOutcome, UndoOutcome>> = {
  renamed: 'undone',
  name_taken: 'changed',
  not_found: 'not_found',
};

/** A rename with the names before and after it. */
interface RenameEntry extends UndoEntry {
  readonly before: string;
  readonly after: string;
}

/** That a host was archived, of what happened to it at one moment. */
function archivingOf({ hostname, changes }: UndoEntry): UndoEntry[] {
  const archived = changes.filter(({ kind }) => kind === 'archived');
  return archived.length === 0 ? [] : [{ hostname, changes: archived }];
}

function withoutRename({ hostname, changes }: UndoEntry): UndoEntry[] {
  const others = changes.filter(({ kind }) => kind !== 'renamed');
  return others.length === 0 ? [] : [{ hostname, changes: others }];
}

function renameOf({ hostname, changes }: UndoEntry): RenameEntry[] {
  return changes.flatMap((change) => {
    const [name] = change.kind === 'renamed' ? change.changes : [];
    if (name === undefined) return [];
    return [{ hostname, changes: [change], before: String(name.before), after: String(name.after) }];
  });
}

function countedAs({ changes }: UndoEntry): 'changed' | 'archived' | 'restored' | 'renamed' {
  const kinds = new Set(changes.map(({ kind }) => kind));
  if (kinds.has('renamed')) return 'renamed';
  // A host that the run restored from the archive is archived again.
  if (kinds.has('created') || kinds.has('restored')) return 'archived';
  return kinds.has('archived') ? 'restored' : 'changed';
}

function reasonOf(entry: UndoEntry, outcome: 'changed' | 'not_found'): string {
  if (outcome === 'not_found') return 'there is no host of this name any more';
  for (const { before, after } of renameOf(entry)) {
    return after === entry.hostname ? `another host is called ${before} by now` : 'something else renamed it since';
  }
  if (entry.changes.some(({ kind }) => kind === 'created')) return 'something else changed it since the run made it';
  return 'something else changed it since, or archived it';
}

/** The window of a run: its account, its beginning and its end. */
interface RunWindow {
  readonly accountId: string;
  /** As the history names it. */
  readonly account: string;
  readonly began: Date;
  readonly ended: Date;
}

const BATCH_SIZE = 500;

/** Yields the changes the run made to each host, grouped by moment, newest first, in batches. Hosts that it made are left out. */
async function* momentsOf(
  history: HistoryStore,
  { account, began, ended }: RunWindow,
): AsyncGenerator<readonly UndoEntry[], void, undefined> {
  let before = { at: new Date(ended.getTime() + 1), hostname: '' };
  for (;;) {
    const changes = await history.latest({ limit: BATCH_SIZE, from: began, before });
    const last = changes.at(-1);
    if (last === undefined) return;
    before = last;
    // Groups all changes of one host at one moment.
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
async function* madeBy(
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
