import type { HostScope, RelationRecord } from '../host.ts';

export interface HostRelations {
  /** By type, then target. */
  readonly outgoing: readonly RelationRecord[];
  /** By type, then source host. */
  readonly inbound: readonly RelationRecord[];
}

/**
 * Directed edges between hosts. An edge whose either end is archived is kept but hidden, and shows again when the end is
 * restored. Edges to hosts out of the scope are hidden.
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

  /** All edges stored on these hosts, by hostname, type, target, whatever the state of their ends. For exports. */
  of(hostnames: readonly string[]): Promise<readonly RelationRecord[]>;
}
