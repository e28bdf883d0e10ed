import { jsonMembers } from '../../kernel/json/json-text.ts';

/** One layer of labels over another: the owner's own or a contribution. */
export interface LabelLayer {
  readonly accountId: string;
  readonly precedence: number;
  readonly labels: string;
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
