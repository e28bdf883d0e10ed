import { templatesOf } from '../../../kit/document/templates.ts';
import { quotedPart } from '../../../kit/json/quoted-part.ts';
import { valuesAt } from '../../../kit/json/values-at.ts';
import { worded } from '../../../kit/worded.ts';
import type { HostRecord, LabelScalar } from '../../../ports/index.ts';
import { accepted, type Check, refused, shown } from '../../hosts/decisions/check.ts';
import { ownerName } from '../../hosts/decisions/owner-name.ts';
import { readAge } from '../../rules/engine/age.ts';
import { AGE, spanOf } from '../../rules/engine/time-span.ts';
import { isAny, isOnSide, notationOf, oneOfTest, valueTest, wildcardWord } from './compare-values.ts';
import { foldedLike } from './folded-text.ts';
import { type HostField, hostField, isMoment, labelValues, type MomentField, type OwnField } from './host-fields.ts';
import { type FieldTest, isValueList, type Query, type TextTest } from './query.ts';

/** The sources for fields of a host, in addition to the host itself. */
export interface FieldFacts {
  /** Names of accounts by id. */
  readonly accounts: ReadonlyMap<string, string>;
  /** The groups of a host in the inventory, and those above them. */
  groups(hostname: string): Iterable<string>;
  /** Returns the values that the inventory serves for a host at a path. */
  served(hostname: string, path: readonly string[]): readonly LabelScalar[];
}

/** Facts that are not part of a host itself. */
export interface QueryFacts extends FieldFacts {
  readonly now: Date;
  /** The hosts that keys, relations or groups lead to, by the test that asks for them. */
  readonly found: ReadonlyMap<FieldTest | TextTest, ReadonlySet<string>>;
  /** The hosts at the other end of relations of a type; asked of hosts that are looked at, where `found` does not tell. */
  targets(hostname: string, type: string): readonly string[];
}

type HostTest = (host: HostRecord) => boolean;

/** Returns the test of one host against a query, or the fault of the query. */
export function hostTest(query: Query, facts: QueryFacts): Check<HostTest> {
  if (query.kind === 'everything') return accepted(() => true);
  if (query.kind === 'text') return accepted(anywhere(query, facts));
  if (query.kind === 'test') return fieldTest(query, facts);
  if (query.kind === 'not') {
    const test = hostTest(query.part, facts);
    return test.ok ? accepted((host) => !test.value(host)) : test;
  }
  if (isValueList(query)) return valuesTest(query.parts, facts);
  const tests: HostTest[] = [];
  for (const part of query.parts) {
    const test = hostTest(part, facts);
    if (!test.ok) return test;
    tests.push(test.value);
  }
  return accepted(
    query.kind === 'and' ? (host) => tests.every((test) => test(host)) : (host) => tests.some((test) => test(host)),
  );
}

/** A word in the name or in a label, a network that an address is of, or a key. */
function anywhere(query: TextTest, { found }: QueryFacts): HostTest {
  const fits = wildcardWord(query);
  if (fits !== undefined) {
    return ({ hostname, labels }) => {
      return (
        fits(hostname) ||
        Object.values(labels.value)
          .flat()
          .some((value) => fits(String(value ?? '')))
      );
    };
  }
  const folded = foldedLike(query.text);
  const part = folded(query.text);
  const notation = query.isQuoted ? undefined : notationOf(query.text);
  const keyed = found.get(query);
  return (host) => {
    if (folded(host.hostname).includes(part) || keyed?.has(host.hostname) === true) return true;
    if (notation === undefined && !folded(host.labels.text).includes(quotedPart(part))) return false;
    for (const value of Object.values(host.labels.value).flat()) {
      const text = String(value ?? '');
      if (folded(text).includes(part) || notation?.fits(text) === true) return true;
    }
    return false;
  };
}

function fieldTest(test: FieldTest, facts: QueryFacts): Check<HostTest> {
  if (test.comparison === '=') return valuesTest([test], facts);
  const field = hostField(test.field);
  const { own } = field;
  if (isMoment(own)) return momentOfHost(own, test, facts);
  const fits = valueTest(test, facts.now);
  if (!fits.ok) return fits;
  const values = valuesOf(field, facts);
  return accepted((host) => values(host).some(fits.value));
}

/** Whether a field of a host is equal to one of these, of which there is one at least and all are of the same field. */
function valuesTest(tests: readonly FieldTest[], facts: QueryFacts): Check<HostTest> {
  const field = hostField(tests[0]?.field ?? '');
  const { own } = field;
  if (isMoment(own)) {
    const times = tests.map((test) => momentOfHost(own, test, facts));
    return times.find(({ ok }) => !ok) ?? accepted((host) => times.some((time) => time.ok && time.value(host)));
  }
  const unknown = own === 'state' ? tests.find((test) => !isState(test)) : undefined;
  if (unknown !== undefined) {
    return refused(
      'where',
      worded`${{ value: JSON.stringify(unknown.value) }} is not a state; write state:active, state:archived or state:*`,
    );
  }
  const found = new Set(tests.flatMap((test) => [...(facts.found.get(test) ?? [])]));
  const isThere = tests.some(isAny);
  const values = valuesOf(field, facts);
  const { fits, isAddress } = oneOfTest(tests);
  return accepted((host) => {
    if (found.has(host.hostname)) return true;
    const given = values(host);
    if (isThere ? given.length > 0 : given.some(fits)) return true;
    // People call hosts by their addresses too.
    return isAddress !== undefined && own === 'name' && Object.values(host.labels.value).flat().some(isAddress);
  });
}

/** Returns the only hosts that a query can find because of their served values; `undefined` if it does not require served values. */
export function servedHosts(
  query: Query,
  values: (path: readonly string[]) => ReadonlyMap<string, readonly LabelScalar[]>,
  now: Date,
): Check<readonly string[] | undefined> {
  const tests = neededServed(query);
  const path = hostField(tests?.[0]?.field ?? '').served;
  if (tests === undefined || path === undefined) return accepted(undefined);
  const [test] = tests;
  const one = tests.length === 1 && test !== undefined ? valueTest(test, now) : accepted(oneOfTest(tests).fits);
  if (!one.ok) return one;
  const isThere = tests.some(isAny);
  const fitting = [...values(path)].filter(([, given]) => isThere || given.some(one.value));
  return accepted(fitting.map(([hostname]) => hostname));
}

/** Returns tests of served values of which every found host passes one; `undefined` if the query has none. */
export function neededServed(query: Query): readonly FieldTest[] | undefined {
  const tests = query.kind === 'test' ? [query] : isValueList(query) ? query.parts : undefined;
  if (tests !== undefined) return tests.every(({ field }) => hostField(field).served !== undefined) ? tests : undefined;
  if (query.kind !== 'and') return undefined;
  for (const part of query.parts) {
    const needed = neededServed(part);
    if (needed !== undefined) return needed;
  }
  return undefined;
}

function momentOfHost(own: MomentField, test: FieldTest, { now }: QueryFacts): Check<HostTest> {
  const fits = momentTest(test, now);
  return fits.ok ? accepted((host) => fits.value(momentOf(host, own))) : fits;
}

function momentOf({ lastSeen, lastUpdate, createdAt, archive }: HostRecord, own: MomentField): Date | null {
  if (own === 'seen') return lastSeen;
  if (own === 'changed') return lastUpdate;
  return own === 'created' ? createdAt : (archive?.at ?? null);
}

const STATES = ['active', 'archived'];

function isState({ comparison, value }: FieldTest): boolean {
  return comparison === '~' || value.includes('*') || STATES.includes(value.toLowerCase());
}

/** The values that hosts have of a field, but for relations; times as ISO 8601. */
export function fieldOf(written: string, facts: FieldFacts): (host: HostRecord) => readonly LabelScalar[] {
  const field = hostField(written);
  const { own } = field;
  if (isMoment(own)) return (host) => [momentOf(host, own)?.toISOString() ?? ''];
  return valuesOf(field, { ...facts, targets: () => [] });
}

/** All that the field may mean, one behind the other. */
function valuesOf(
  { own, label, path, relation, served }: HostField,
  facts: FieldFacts & Pick<QueryFacts, 'targets'>,
): (host: HostRecord) => readonly LabelScalar[] {
  return (host) => {
    const values = own === undefined ? [] : ownValues(host, own, facts);
    if (label !== undefined) values.push(...labelValues(host, label));
    if (path !== undefined) values.push(...valuesAt(host.inventory, path));
    if (relation !== undefined) values.push(...facts.targets(host.hostname, relation));
    if (served !== undefined) values.push(...facts.served(host.hostname, served));
    return values;
  };
}

function ownValues(host: HostRecord, own: OwnField, { accounts, groups }: FieldFacts): LabelScalar[] {
  if (own === 'name') return [host.hostname];
  if (own === 'type') return [host.objectType];
  if (own === 'state') return [host.archive === null ? 'active' : 'archived'];
  if (own === 'folder') return host.folder === null ? [] : [host.folder];
  if (own === 'group') return [...groups(host.hostname)];
  if (own === 'template') return [...templatesOf(host.members.text)];
  if (own === 'account') {
    const owner = ownerName(host, accounts);
    return owner === null ? [] : [owner];
  }
  return [];
}

/** Whether a time of a host is what was asked for; `null` is never. */
type MomentTest = (at: Date | null) => boolean;

const HOW = worded`write an age (seen<2d: within two days; seen>12h: longer ago), a date (changed>2026-01-31), today, yesterday or never`;

/** Ages count back from `now`. Days are those of UTC, as all times are. */
function momentTest({ field, comparison, value, isQuoted }: FieldTest, now: Date): Check<MomentTest> {
  const text = value.trim().toLowerCase();
  if (comparison === '=' && text === '*' && !isQuoted) return accepted((at) => at !== null);
  if (comparison === '=' && text === 'never') return accepted((at) => at === null);
  if (AGE.test(text)) {
    const limit = now.getTime() - readAge(text);
    if (comparison === '<' || comparison === '<=') return accepted((at) => at !== null && at.getTime() >= limit);
    if (comparison === '>' || comparison === '>=') return accepted((at) => at !== null && at.getTime() < limit);
    return refused('where', worded`${{ field: shown(field) }} is never exactly an age; ${{ how: HOW }}`);
  }
  const span = spanOf(value.trim(), now);
  if (span === undefined || comparison === '~')
    return refused('where', worded`${{ value: shown(value) }} is not a time; ${{ how: HOW }}`);
  if (comparison === '=' && span.from === span.to)
    return refused('where', worded`${{ field: shown(field) }} is never exactly an age; ${{ how: HOW }}`);
  return accepted((at) => at !== null && isOnSide(at.getTime(), comparison, span));
}
