import { jsonMembers, jsonOfMembers } from '../../../kit/json/json-text.ts';
import { labelChanges, type Remembered } from './host-changes.ts';
import type { ChangedBy, DraftHost, HostDraft } from './host-draft.ts';

/** One layer of labels over another. */
export interface LabelLayer {
  readonly accountId: string;
  readonly precedence: number;
  readonly labels: string;
}

/** The labels that one account gives a host: the owner's own, kept here while others contribute, or a contribution. */
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

/** Higher precedence first, then the greater account id: the winning layer precedes those it overrides. */
export function compareLayers(left: LabelLayer, right: LabelLayer): number {
  if (left.precedence !== right.precedence) return right.precedence - left.precedence;
  return left.accountId < right.accountId ? 1 : left.accountId > right.accountId ? -1 : 0;
}

/** Returns the labels that consumers see of several layers. */
export function layeredLabels(layers: readonly LabelLayer[]): Map<string, string> {
  const visible = new Map<string, string>();
  for (const layer of layers.toSorted(compareLayers).reverse()) {
    for (const [key, text] of jsonMembers(layer.labels)) visible.set(key, text);
  }
  return visible;
}

/** Whether others contribute. If not, no layer is kept: the owner's labels are the host's. */
export function isCovered(layers: readonly Pick<HostLayer, 'owner'>[]): boolean {
  return layers.some((layer) => !layer.owner);
}

/** Merges the labels of all layers again; `own` are the labels given by the owner. */
export function labelsOf(layers: readonly (LabelLayer & Pick<HostLayer, 'owner'>)[], own: string): string {
  return isCovered(layers) ? jsonOfMembers(layeredLabels(layers)) : own;
}

/** Returns the history entry for a host that shows other labels; `undefined` if consumers see no difference. */
export function shownChange(before: string, after: string): Remembered | undefined {
  const changes = before === after ? [] : labelChanges(before, after);
  return changes.length === 0 ? undefined : { kind: 'labels', changes };
}

/** The owner's labels without what others contribute. */
export function ownLabels({ layers, labels }: Pick<DraftHost, 'layers' | 'labels'>): string {
  return layers.find((layer) => layer.owner)?.labels ?? labels;
}

/** Replaces the owner's own labels. True when the visible ones differ then. */
export function setOwnLabels(draft: HostDraft, host: DraftHost, labels: string, by: ChangedBy): boolean {
  if (host.layers.length > 0) {
    const others = host.layers.filter((layer) => !layer.owner);
    const own = ownerLayer(host.accountId, labels, by.at.getTime());
    draft.change({ layers: others.length === 0 ? [] : [...others, own] });
  }
  return showLabels(draft, host, labels, by);
}

/** Lays all contributions over the owner's labels again. True if the visible labels change. */
export function showLabels(draft: HostDraft, host: DraftHost, own: string, by: ChangedBy): boolean {
  const { layers } = host;
  if (layers.length > 0 && !isCovered(layers)) draft.change({ layers: [] });
  const labels = labelsOf(layers, own);
  const remembered = shownChange(host.labels, labels);
  if (remembered === undefined) return false;
  draft.change({ labels });
  draft.remember(remembered, by);
  return true;
}
