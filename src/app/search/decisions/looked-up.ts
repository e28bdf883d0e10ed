import { keyAsWritten, keyText } from '../../hosts/decisions/host-keys.ts';
import { hostField } from './host-fields.ts';
import { type FieldTest, type Query, type TextTest, testsOf } from './query.ts';

/** Facts to be requested elsewhere before hosts can be tested. */
export type Lookup =
  | { readonly kind: 'key'; readonly test: FieldTest | TextTest; readonly key: string }
  | { readonly kind: 'relation'; readonly test: FieldTest; readonly type: string }
  | { readonly kind: 'group'; readonly test: FieldTest };

export function lookupsOf(query: Query, worthless: readonly string[]): readonly Lookup[] {
  return testsOf(query).flatMap((test): readonly Lookup[] => {
    if (test.kind === 'text') return keyLookup(test, test.text, worthless);
    const { own, relation, label } = hostField(test.field);
    const lookups: Lookup[] = [];
    if (relation !== undefined) lookups.push({ kind: 'relation', test, type: relation });
    if (own === 'group') lookups.push({ kind: 'group', test });
    if (test.comparison !== '=') return lookups;
    if (own === 'key') lookups.push(...keyLookup(test, test.value, worthless));
    else if (label !== undefined && own === undefined && relation === undefined)
      lookups.push(...keyLookup(test, `${test.field}=${test.value}`, worthless));
    return lookups;
  });
}

/** Returns the lookup for `serial=J4711`, if it may be a key. */
function keyLookup(test: FieldTest | TextTest, written: string, worthless: readonly string[]): readonly Lookup[] {
  const key = keyAsWritten(written, worthless);
  return key.ok ? [{ kind: 'key', test, key: keyText(key.value) }] : [];
}
