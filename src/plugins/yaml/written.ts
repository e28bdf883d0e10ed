import { type Document, isScalar, isSeq, type Pair, Scalar, visit, type YAMLMap } from 'yaml';

/**
 * Keeps the original text of keys, of members that name or identify a record, and of values that would lose characters. Returns
 * the position of a key that its object has twice.
 */
export function keepWritten(document: Document.Parsed, naming: ReadonlySet<string>): number | undefined {
  let twice: number | undefined;
  visit(document, {
    Map(_, map) {
      twice = repeatedKey(map);
      return twice === undefined ? undefined : visit.BREAK;
    },
    Pair(_, { key, value }) {
      makeText(key);
      if (!isScalar(key) || !naming.has(String(key.value))) return;
      for (const item of isSeq(value) ? value.items : [value]) if (!isNothing(item)) makeText(item);
    },
    Scalar(place, scalar) {
      if (place !== 'key' && losesSigns(scalar)) makeText(scalar);
    },
  });
  return twice;
}

function makeText(node: unknown): void {
  if (isWord(node) && typeof node.value !== 'string') node.value = node.source;
}

/** Whether a node is written without quotes, and is not a merge key. */
function isWord(node: unknown): node is Scalar & { source: string } {
  return (
    isScalar(node) &&
    node.type === Scalar.PLAIN &&
    node.source !== undefined &&
    typeof node.value !== 'symbol' &&
    !node.tag
  );
}

function isNothing(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

/** In capitals these are countries, states and answers; in small letters they switch something. */
const SHOUTED = /^(?:NO|ON|YES|OFF)$/;

function losesSigns(scalar: Scalar): boolean {
  const { value, source } = scalar;
  if (typeof value === 'boolean') return source !== undefined && SHOUTED.test(source);
  if (typeof value === 'bigint') return String(value) !== source;
  return typeof value === 'number' && Number.isFinite(value) && String(value) !== source;
}

function repeatedKey({ items }: YAMLMap): number | undefined {
  const known = new Set<string>();
  for (const { key } of items as readonly Pair[]) {
    if (!isScalar(key) || typeof key.value === 'symbol') continue;
    const text = key.source ?? String(key.value);
    if (known.has(text)) return key.range?.[0] ?? 0;
    known.add(text);
  }
  return undefined;
}
