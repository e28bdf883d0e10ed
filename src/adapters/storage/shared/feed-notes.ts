import type { HostDraft } from '../../../app/hosts/decisions/host-draft.ts';
import { templatesOf } from '../../../kit/document/templates.ts';
import type { Actor, FeedEntry, HostChange, HostReach } from '../../../ports/index.ts';

/** The change feed's record of one change. The changed values are in the history, to which `change` leads. */
export interface FeedNote<Reference> {
  readonly kind: FeedEntry['kind'];
  readonly hostname: string;
  /** The name before, of `renamed`. */
  readonly from?: string;
  /**
   * The account that decides which users reach the host. Present with `created`, `renamed`, `deleted`, `account` and `templates`.
   */
  readonly account?: string | null;
  /** The templates, if there are any. */
  readonly templates?: readonly string[];
  /** The same after the change, of `account` and `templates`; absent where an older version noted them. */
  readonly after?: Pick<FeedNote<never>, 'account' | 'templates'>;
  /** Written when it no longer was in its turn. */
  readonly late?: true;
  readonly change?: Reference;
}

/** Notes of one moment and one who caused them. */
export interface FeedRow<Reference> {
  readonly at: Date;
  readonly actor: Actor;
  readonly notes: readonly FeedNote<Reference>[];
}

export type TimedNote<Reference> = Omit<FeedRow<Reference>, 'notes'> & { readonly note: FeedNote<Reference> };

/** Largest number of notes that are read and written as one. */
const NOTES_A_ROW = 500;

/** The notes of a draft, for changes that are in the history under these references. `templates`: of a host whose templates stay as they are. */
export function notesOfDraft<Reference>(
  { hostname, host, createdBy, history, reachBefore }: HostDraft,
  references: readonly Reference[],
  templates: () => readonly string[],
): readonly TimedNote<Reference>[] {
  const notes: TimedNote<Reference>[] = [];
  const reachNow = (): HostReach => ({
    accountId: host?.accountId ?? null,
    templates: templatesOf(host?.members ?? '{}'),
  });
  if (createdBy !== undefined && host !== undefined) {
    const reach = reachNote({ accountId: host.accountId, templates: templates() });
    notes.push({ at: createdBy.at, actor: createdBy.actor, note: { kind: 'created', hostname, ...reach } });
  }
  for (const [index, { at, actor, kind, changes }] of history.entries()) {
    const change = references[index];
    const note = { kind, hostname, ...(change === undefined ? {} : { change }) };
    if (kind !== 'account') notes.push({ at, actor, note });
    else {
      const owners = ownersOf(changes);
      const before = reachBefore ?? { accountId: owners.before, templates: templates() };
      const after = reachBefore === undefined ? { accountId: owners.after, templates: templates() } : reachNow();
      const reach = { ...reachNote(before), after: reachNote(after) };
      notes.push({ at, actor, note: { ...note, ...reach } });
    }
  }
  if (reachBefore !== undefined && !history.some(({ kind }) => kind === 'account')) {
    const { at, actor } = reachBefore;
    const reach = { ...reachNote(reachBefore), after: reachNote(reachNow()) };
    notes.push({ at, actor, note: { kind: 'templates', hostname, ...reach } });
  }
  return notes;
}

export function reachNote({ accountId, templates }: HostReach): Pick<FeedNote<never>, 'account' | 'templates'> {
  return templates.length === 0 ? { account: accountId } : { account: accountId, templates };
}

/** The owner before the change and after it. */
function ownersOf([change]: HostChange['changes']): { before: string | null; after: string | null } {
  const owner = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { before: owner(change?.before), after: owner(change?.after) };
}

/** Groups notes in their order into rows that share a moment and an actor. */
export function rowsOf<Reference>(notes: readonly TimedNote<Reference>[]): readonly FeedRow<Reference>[] {
  const rows: { at: Date; actor: Actor; notes: FeedNote<Reference>[] }[] = [];
  for (const { at, actor, note } of notes) {
    const last = rows.at(-1);
    const belongs =
      last !== undefined && +last.at === +at && last.actor.kind === actor.kind && last.actor.name === actor.name;
    if (belongs && last.notes.length < NOTES_A_ROW) last.notes.push(note);
    else rows.push({ at, actor, notes: [note] });
  }
  return rows;
}
