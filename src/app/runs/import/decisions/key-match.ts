import { nameOrElse, type Said, worded } from '../../../../kit/worded.ts';
import type { ArchiveReason } from '../../../../ports/index.ts';

/** A host that has a key of a record. */
export interface KeyHolder {
  readonly hostname: string;
  /** `null` while it is active. */
  readonly archivedBy: ArchiveReason | null;
}

/** The hosts that have each of a record's keys, without the host of the record's own name. */
export type HoldersByKey = ReadonlyMap<string, readonly KeyHolder[]>;

export type KeyMatch =
  /** No host has a key of the record. */
  | { readonly kind: 'none' }
  /** All keys that tell hosts apart lead to this one. */
  | { readonly kind: 'one'; readonly key: string; readonly holder: KeyHolder }
  /** No key distinguishes between these hosts. */
  | { readonly kind: 'several'; readonly key: string; readonly hostnames: readonly string[] };

/**
 * Returns which host a record is by its keys. A key that several hosts share distinguishes none of them, such as the common
 * address of the machines of a cluster; archived hosts count only if no active one has the key. Keys that lead to different hosts
 * lead nowhere.
 */
export function matchByKeys(holders: HoldersByKey): KeyMatch {
  const { found, shared } = toldApart(holders);
  const [first, second] = [...found.values()];
  if (first !== undefined && second === undefined) return { kind: 'one', ...first };
  if (first !== undefined) return { kind: 'several', key: first.key, hostnames: [...found.keys()] };
  return shared === undefined ? { kind: 'none' } : { kind: 'several', ...shared };
}

/** The hosts that a record may be by its keys: those that one of them leads to and to no other. */
export function claimedBy(holders: HoldersByKey): readonly string[] {
  return [...toldApart(holders).found.keys()];
}

interface ToldApart {
  /** By hostname, with the first key that leads there alone. */
  readonly found: ReadonlyMap<string, { readonly key: string; readonly holder: KeyHolder }>;
  /** The first key that leads to several. */
  readonly shared?: { readonly key: string; readonly hostnames: readonly string[] };
}

function toldApart(holders: HoldersByKey): ToldApart {
  const found = new Map<string, { readonly key: string; readonly holder: KeyHolder }>();
  let shared: ToldApart['shared'];
  for (const [key, all] of holders) {
    const active = all.filter(({ archivedBy }) => archivedBy === null);
    const [holder, ...others] = active.length > 0 ? active : all;
    if (holder === undefined) continue;
    if (others.length > 0) shared ??= { key, hostnames: [holder, ...others].map(({ hostname }) => hostname) };
    else if (!found.has(holder.hostname)) found.set(holder.hostname, { key, holder });
  }
  return shared === undefined ? { found } : { found, shared };
}

/** Facts, at the end of a read, about the host that a record of an unknown name seems to be. */
export interface RenameFacts {
  /** The read named it too, or may have, or another part of the source has it. */
  readonly isNamed: (hostname: string) => boolean;
  /** How many records of unknown names seem to be it. */
  readonly claims: (hostname: string) => number;
}

export type NameDecision =
  /** It is a host of its own; `conflict` says why it is, although others have a key of it. */
  | { readonly kind: 'own'; readonly conflict?: Said }
  | { readonly kind: 'renamed'; readonly from: string; readonly key: string }
  /** It is a host that an operator archived, and stays that. */
  | { readonly kind: 'archived'; readonly from: string; readonly key: string };

/**
 * Decides what a record of an unknown name is, once the whole source is read. It is a renamed host only if nothing else is
 * possible: its keys lead to one host, which the source no longer has under its name, and lead no other record there.
 */
export function decideName(holders: HoldersByKey, { isNamed, claims }: RenameFacts): NameDecision {
  const match = matchByKeys(holders);
  if (match.kind === 'none') return { kind: 'own' };
  if (match.kind === 'several') return { kind: 'own', conflict: severalText(match) };
  const { key, holder } = match;
  const { hostname: from } = holder;
  if (isNamed(from)) {
    const conflict = worded`has ${{ key }}, as ${{ from }} has, which the source has too: each is a host of its own`;
    return { kind: 'own', conflict };
  }
  if (claims(from) > 1) {
    const conflict = worded`has ${{ key }} of ${{ from }}, as another new record has: which of them is ${{ from }} is not known, so none is`;
    return { kind: 'own', conflict };
  }
  return { kind: holder.archivedBy === 'operator' ? 'archived' : 'renamed', from, key };
}

/** Says why the keys of a record do not identify a host; `ofOthers`: the hosts may belong to other accounts. */
export function severalText(
  { key, hostnames }: { readonly key: string; readonly hostnames: readonly string[] },
  ofOthers = false,
): Said {
  const shown = hostnames.slice(0, SHOWN_NAMES).join(', ');
  const names = ofOthers ? nameOrElse(shown, worded`maybe of other accounts`) : shown;
  const more = String(hostnames.length - SHOWN_NAMES);
  return hostnames.length > SHOWN_NAMES
    ? worded`has keys of several hosts (${{ names }}, and ${{ more }} more), such as ${{ key }}: which of them it is is not known`
    : worded`has keys of several hosts (${{ names }}), such as ${{ key }}: which of them it is is not known`;
}

const SHOWN_NAMES = 3;
