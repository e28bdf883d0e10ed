import type { HostRecord } from '../../../ports/index.ts';
import { hostField } from './host-fields.ts';
import { hostTest, type QueryFacts } from './host-test.ts';
import { type FieldTest, isValueList, type Query } from './query.ts';

interface Pending {
  readonly value: string;
  readonly fits: (host: HostRecord) => boolean;
}

/** Finds the values of lists, such as `name:(web01 web02)`, for which a query finds no host. */
export class ListMisses {
  readonly size: number;
  #pending: readonly Pending[];

  constructor(query: Query, facts: QueryFacts) {
    const tests = listedTests(query);
    this.size = tests.size;
    this.#pending = [...tests].flatMap(([value, test]) => {
      const fits = hostTest(test, facts);
      return fits.ok ? [{ value, fits: fits.value }] : [];
    });
  }

  /** Takes all hosts that the query finds, some at a time. */
  look(hosts: readonly HostRecord[]): void {
    for (const host of hosts) {
      if (this.#pending.length === 0) return;
      this.#pending = this.#pending.filter(({ fits }) => !fits(host));
    }
  }

  get missed(): readonly string[] {
    return this.#pending.map(({ value }) => value);
  }
}

/** By value. Only lists that hosts must match count; the ends of relations are not known for each host. */
function listedTests(query: Query): ReadonlyMap<string, FieldTest> {
  const parts = query.kind === 'and' ? query.parts : [query];
  const lists = parts.filter(isValueList);
  const tests = lists.flatMap((list) => list.parts);
  return new Map(
    tests.filter(({ field }) => hostField(field).relation === undefined).map((test) => [test.value, test]),
  );
}
