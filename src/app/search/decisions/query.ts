/** How a value is compared. What is not (`!=`, `!~`) is a `not` around it. */
export type Comparison = '=' | '>' | '>=' | '<' | '<=' | '~';

/** One thing that is asked of a host: `site:fra`, `cpus>=8`, `seen<2d`. */
export interface FieldTest {
  readonly kind: 'test';
  readonly field: string;
  readonly comparison: Comparison;
  readonly value: string;
  /** Signs in it mean themselves. */
  readonly isQuoted: boolean;
}

/** A text without a field: it may occur anywhere. With `*` in it, it is a whole name or value. */
export interface TextTest {
  readonly kind: 'text';
  readonly text: string;
  /** Signs in it mean themselves. */
  readonly isQuoted: boolean;
}

export interface ValueList {
  readonly kind: 'or';
  readonly parts: readonly FieldTest[];
}

export type Query =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and'; readonly parts: readonly Query[] }
  | { readonly kind: 'or'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  | FieldTest
  | TextTest;

/** Alternatives that each ask whether the same field is equal to something, as `site:(fra ber)` does. */
export function isValueList(query: Query): query is ValueList {
  if (query.kind !== 'or') return false;
  const [first] = query.parts;
  return (
    first?.kind === 'test' &&
    query.parts.every((part) => part.kind === 'test' && part.comparison === '=' && part.field === first.field)
  );
}

/** All tests of a query, whatever is asked around them. */
export function testsOf(query: Query): readonly (FieldTest | TextTest)[] {
  switch (query.kind) {
    case 'everything':
      return [];
    case 'not':
      return testsOf(query.part);
    case 'and':
    case 'or':
      return query.parts.flatMap(testsOf);
    default:
      return [query];
  }
}
