import { jsonMembers, jsonOfMembers } from '../../kernel/json/json-text.ts';
import { labelChanges, type Remembered } from './host-changes.ts';

/** One layer of labels over another. */
export interface LabelLayer {
  readonly accountId: string;
  readonly precedence: number;
  readonly labels: string;
}

/** What one account gives a host: the owner's own labels, kept here while others contribute, or a contribution. */
export interface HostLayer extends LabelLayer {
  readonly owner: boolean;
  /** Milliseconds. */
  readonly at: number;
  readonly runId: string | null;
}

/** The owner's own labels as a layer below those of others. */
export function ownerLayer(accountId: string | null, labels: string, at: number): HostLayer {
  return { accountId: accountId ?? '', precedence: 0, owner: true, labels, at, runId: null };
}

/** Higher precedence first, then the greater account id: the one that wins stands before the ones it beats. */
export function compareLayers(left: LabelLayer, right: LabelLayer): number {
  if (left.precedence !== right.precedence) return right.precedence - left.precedence;
  return left.accountId < right.accountId ? 1 : left.accountId > right.accountId ? -1 : 0;
}

/** What consumers see of several layers. */
export function layeredLabels(layers: readonly LabelLayer[]): Map<string, string> {
  const visible = new Map<string, string>();
  for (const layer of layers.toSorted(compareLayers).reverse()) {
    for (const [key, text] of jsonMembers(layer.labels)) visible.set(key, text);
  }
  return visible;
}

/** Whether others contribute. Where nobody does, no layer is kept: the owner's labels are the host's. */
export function isCovered(layers: readonly Pick<HostLayer, 'owner'>[]): boolean {
  return layers.some((layer) => !layer.owner);
}

/** Everybody's labels laid over each other anew; `own` is what the owner gives. */
export function labelsOf(layers: readonly (LabelLayer & Pick<HostLayer, 'owner'>)[], own: string): string {
  return isCovered(layers) ? jsonOfMembers(layeredLabels(layers)) : own;
}

/** What the history keeps when a host shows other labels; `undefined` when consumers see no difference. */
export function shownChange(before: string, after: string): Remembered | undefined {
  const changes = before === after ? [] : labelChanges(before, after);
  return changes.length === 0 ? undefined : { kind: 'labels', changes };
}
