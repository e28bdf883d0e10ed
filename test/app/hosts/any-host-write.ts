import fc from 'fast-check';
import { type Storage, StoredJson } from '../../../src/ports/index.ts';
import { actor, blue, documentOf, labelsOf, minute, red } from '../../../src/testing/samples.ts';

export const names = ['web01', 'web02', 'db01', 'db02'];
export const template = 'dddddddddddddddddddddddd';
const name = fc.constantFrom(...names);
const some = fc.array(name, { minLength: 1, maxLength: 3 });
const account = fc.constantFrom(red, blue);
const labels = fc.dictionary(
  fc.constantFrom('os', 'role', '__proto__'),
  fc.constantFrom<string | number>('x', 'y', 1),
  {
    noNullPrototype: true,
  },
);
const by = { at: minute(1), actor };

export type HostWrite = (storage: Storage) => Promise<unknown>;

/** Any way to write hosts of two accounts, four names and one template. */
export const anyHostWrite: fc.Arbitrary<HostWrite> = fc.oneof(
  { arbitrary: fc.tuple(account, some, labels, fc.boolean()).map(save), weight: 4 },
  fc.tuple(name, fc.constantFrom({}, { cpus: 1 }, { cpus: 2 })).map(([hostname, section]): HostWrite => {
    const entries = [{ hostname, key: 'hw', section: StoredJson.ofValue(section) }];
    return ({ hosts }) => hosts.saveInventory({ entries, scope: null, ...by });
  }),
  fc.tuple(some, fc.constantFrom('api' as const, 'operator' as const)).map(([hostnames, why]): HostWrite => {
    return ({ hosts }) => hosts.archive({ hostnames, by: why, scope: null, ...by });
  }),
  some.map(
    (hostnames): HostWrite =>
      ({ hosts }) =>
        hosts.restore({ hostnames, scope: null, ...by }),
  ),
  {
    arbitrary: some.map(
      (hostnames): HostWrite =>
        ({ hosts }) =>
          hosts.purge({ hostnames, scope: null, ...by }),
    ),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(name, name).map(
      ([from, to]): HostWrite =>
        ({ hosts }) =>
          hosts.rename({ hosts: [{ from, to }], ...by }),
    ),
    weight: 2,
  },
  fc
    .tuple(name, account, labels, fc.boolean(), fc.boolean())
    .map(([hostname, { id }, given, isNamed, isObject]): HostWrite => {
      const members = StoredJson.ofValue(isNamed ? { cmdb_templates: [{ $oid: template }] } : {});
      const record = documentOf(hostname, { accountId: id, labels: labelsOf(given), members, isObject });
      return ({ hosts }) => hosts.putDocuments([{ record, mode: 'replace', relations: [] }], actor);
    }),
  fc.tuple(name, labels).map(([hostname, given]): HostWrite => {
    const entries = [{ hostname, labels: labelsOf(given) }];
    return ({ hosts }) => hosts.contributeLabels({ accountId: blue.id, precedence: 10, entries, runId: 'run', ...by });
  }),
);

function save([given, hostnames, set, takeOver]: [typeof red, string[], object, boolean]): HostWrite {
  const entries = hostnames.map((hostname) => ({ hostname, labels: labelsOf(set as never) }));
  return ({ hosts }) => hosts.saveLabels({ account: given, entries, takeOver, ...by });
}
