import type { HostScope, RelationRecord } from '../host.ts';

export interface HostRelations {
  /** By type, then target. */
  readonly outgoing: readonly RelationRecord[];
  /** By type, then source host. */
  readonly inbound: readonly RelationRecord[];
}

/** Edges that a source reports. */
export interface NamedEdges {
  /** The account's name: the `source` of its edges. */
  readonly source: string;
  readonly edges: readonly Omit<RelationRecord, 'source'>[];
  readonly at: Date;
}

/**
 * Directed edges between hosts. An edge whose either end is archived is kept but hidden, and shows again when the end is
 * restored. Edges to hosts out of the scope are hidden.
 *
 * Several sources may name the same edge: it is shown once, as that of whom it was added by hand, else of the first source
 * by name, and it is there as long as one of them names it.
 */
export interface RelationStore {
  /** Edges of an active host in scope; `undefined` when there is no such host. */
  list(hostname: string, scope: HostScope): Promise<HostRelations | undefined>;

  /**
   * Adds an edge between two active hosts in scope. `unchanged` when an edge of that type and target exists: it keeps its
   * first source. `source_not_found` and `target_not_found` tell which end is missing; the source is looked for first.
   */
  add(edge: RelationRecord, scope: HostScope): Promise<'added' | 'unchanged' | 'source_not_found' | 'target_not_found'>;

  /** Removes the edge of that type and target, whatever its source tag. `unchanged` when there is none; else as `add`. */
  remove(
    edge: Omit<RelationRecord, 'source'>,
    scope: HostScope,
  ): Promise<'removed' | 'unchanged' | 'source_not_found' | 'target_not_found'>;

  /**
   * Keeps the edges that a source names, whether or not there are hosts of these names: such an edge is hidden until there are.
   * One outcome an edge, in order; `added` if no source had named it. An edge of the same source that was added by hand stays
   * one.
   */
  name(edges: NamedEdges): Promise<readonly ('added' | 'unchanged')[]>;

  /**
   * Takes back the edges of a source that it has not named since the time, except those stored on the named hosts; answers how
   * many. Edges of others, and those that were added by hand, stay.
   */
  prune(request: {
    readonly source: string;
    readonly unnamedSince: Date;
    readonly except: readonly string[];
  }): Promise<number>;

  /** All edges stored on these hosts, by hostname, type, target, whatever the state of their ends. For exports. */
  of(hostnames: readonly string[]): Promise<readonly RelationRecord[]>;

  /**
   * Edges that begin or end at these hosts, each once, by hostname, type, target, whatever the state of their ends. Where there are
   * more than `limit` it is some of them.
   */
  around(hostnames: readonly string[], limit: number): Promise<readonly RelationRecord[]>;
}
