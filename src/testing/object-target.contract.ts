import { describe, expect, it } from 'vitest';
import {
  type Change,
  type ChangeOutcome,
  type JsonObject,
  type ObjectTarget,
  type ObjectTargetType,
  type RemoteGap,
  type RemoteObject,
  StoredJson,
  type TargetKind,
  type TargetRecord,
  type WantedObject,
} from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

/** A system with objects that a target writes to, for one test. It holds nothing at first. */
export interface ObjectTargetSystem {
  /** The target, opened for one more run on the same system. */
  open(): ObjectTarget | Promise<ObjectTarget>;
  /** Adds an object of that kind and key that was made by someone else. */
  putForeign?(kind: string, key: string): Promise<void>;
}

/** How a target with objects shows itself to its contract. */
export interface ObjectTargetHarness {
  /** The type as its plugin registers it. */
  readonly type: ObjectTargetType;
  /** The kinds of the targets that are opened here, if options decide which kinds there are. */
  readonly kinds?: readonly TargetKind[];
  create(): Promise<ObjectTargetSystem>;
  /** A target whose system is missing or refuses everything. */
  broken(): Promise<ObjectTarget>;
  /** Variables of a host that wants at least one object; `variant` makes hosts whose objects have other fields. */
  variables(variant: number): JsonObject;
}

/** Everything that a target with objects promises. */
export function describeObjectTargetContract(name: string, harness: ObjectTargetHarness): void {
  const { type } = harness;
  const kinds = harness.kinds ?? (type.kinds === 'by_account' ? [] : type.kinds);
  const order = kinds.map(({ id }) => id);

  describe(`${name}: contract of a target with objects`, LONG_TIMEOUT, () => {
    it('declares its kinds, and wants only what it declares', async () => {
      const target = await (await harness.create()).open();
      expect(new Set(order).size).toBe(order.length);
      const wanted = target.wanted(record('web1', harness.variables(0)));
      expect(wanted.length).toBeGreaterThan(0);
      for (const { kind, key, fields } of wanted) {
        expect(order).toContain(kind);
        expect(key).not.toBe('');
        const declared = Object.keys(kinds.find(({ id }) => id === kind)?.fields ?? {});
        expect(declared).toEqual(expect.arrayContaining(Object.keys(fields)));
      }
      expect(target.wanted(record('web1', harness.variables(0)))).toEqual(wanted);
    });

    it('finds nothing in a system that holds nothing', async () => {
      expect(await objectsOf(await (await harness.create()).open())).toEqual([]);
    });

    it('makes objects, and gives them back with their ids and what was written', async () => {
      const system = await harness.create();
      const wanted = await makeAll(system, ['web1', 'web2', 'web3']);
      const found = await objectsOf(await system.open());
      expect(found.map(placeOf).sort()).toEqual(wanted.map(placeOf).sort());
      expect(new Set(found.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(found.length);
      for (const { kind, key, fields } of wanted) {
        const object = found.find((one) => one.kind === kind && one.key === key);
        expect(object?.owner).not.toBe('other');
        const given = Object.fromEntries(Object.entries(fields).filter(([field]) => !isSecret(kind, field)));
        expect(object?.fields).toMatchObject(given);
      }
    });

    it('changes the fields that it is told, and keeps the id', async () => {
      const system = await harness.create();
      await makeAll(system, ['web1', 'web2']);
      const before = await objectsOf(await system.open());
      const target = await system.open();
      const next = distinct(target.wanted(record('web1', harness.variables(1))));
      const changes = next.flatMap(({ kind, key, fields, after }): Change[] => {
        const object = before.find((one) => one.kind === kind && one.key === key);
        if (object === undefined) return [];
        const differing = Object.entries(fields).filter(
          ([field, value]) => !isOnce(kind, field) && JSON.stringify(object.fields[field]) !== JSON.stringify(value),
        );
        if (differing.length === 0) return [];
        const changed = Object.fromEntries(differing);
        return [{ ...deleteOf(object), action: 'update', fields: changed, after: after ?? [] }];
      });
      expect(changes.length, 'the variables of variant 1 must change an object of variant 0').toBeGreaterThan(0);
      const missing = next.filter(({ kind, key }) => !before.some((one) => one.kind === kind && one.key === key));
      await applyAll(target, missing.map(createOf), before);
      expect(await applyAll(target, changes, await objectsOf(target))).toEqual(changes.map(() => DONE));
      const after = await objectsOf(await system.open());
      for (const { kind, key, id, fields } of changes) {
        expect(after).toContainEqual(expect.objectContaining({ kind, key, id }));
        const shown = Object.fromEntries(Object.entries(fields).filter(([field]) => !isSecret(kind, field)));
        expect(after.find((one) => one.kind === kind && one.key === key)?.fields).toMatchObject(shown);
      }
      const others = before.filter(({ kind, key }) => !changes.some((one) => one.kind === kind && one.key === key));
      for (const { kind, key, fields } of others) {
        expect(after.find((one) => one.kind === kind && one.key === key)?.fields).toEqual(fields);
      }
    });

    it('deletes what it is told and nothing else', async () => {
      const system = await harness.create();
      await makeAll(system, ['web1', 'web2']);
      const before = await objectsOf(await system.open());
      const [last] = before.toSorted((left, right) => order.indexOf(right.kind) - order.indexOf(left.kind));
      if (last === undefined) throw new Error('nothing was made');
      const target = await system.open();
      expect(await applyAll(target, [deleteOf(last)], before)).toEqual([DONE]);
      const left = before.filter((object) => object !== last).map(placeOf);
      expect((await objectsOf(await system.open())).map(placeOf).sort()).toEqual(left.sort());
    });

    it('answers that an object is gone or that there is one already, and does not throw', async () => {
      const system = await harness.create();
      const wanted = await makeAll(system, ['web1']);
      const before = await objectsOf(await system.open());
      const target = await system.open();
      const again = wanted.at(-1);
      if (again === undefined) throw new Error('nothing was made');
      const [twice] = await applyAll(target, [createOf(again)], before);
      expect(twice?.done, 'an object of that key is there already').toBe(false);
      const object = before.find(({ kind, key }) => kind === again.kind && key === again.key);
      if (object === undefined) throw new Error('it is not there');
      expect(await applyAll(target, [deleteOf(object)], before)).toEqual([DONE]);
      const [gone] = await applyAll(target, [deleteOf(object)], before);
      expect(gone).toMatchObject({ done: false, reason: expect.stringMatching(/./) });
    });

    it('leaves an object alone that is another one by now, where the system can tell', async () => {
      const system = await harness.create();
      await makeAll(system, ['web1']);
      const stale = (await objectsOf(await system.open())).filter(({ etag }) => etag !== undefined);
      const [object] = stale.toReversed();
      if (object === undefined) return;
      const target = await system.open();
      const [field] = Object.keys(object.fields).filter((name) => isPlain(object.kind, name));
      if (field === undefined) return;
      const change: Change = {
        ...deleteOf(object),
        action: 'update',
        fields: { [field]: object.fields[field] ?? null },
      };
      expect(await applyAll(target, [change], stale)).toEqual([DONE]);
      const [late] = await applyAll(target, [deleteOf(object)], stale);
      expect(late).toMatchObject({ done: false, code: 'changed' });
      expect(await objectsOf(await system.open())).toContainEqual(expect.objectContaining({ id: object.id }));
    });

    it('tells what somebody else made from what it made, or says nothing of it', async () => {
      const system = await harness.create();
      const kind = order.at(-1) ?? '';
      if (system.putForeign === undefined) return;
      await makeAll(system, ['web1']);
      await system.putForeign(kind, 'foreign');
      const found = await objectsOf(await system.open());
      expect(found.find(({ key }) => key === 'foreign')?.owner).not.toBe('us');
    });

    it('throws when the system is out of reach, and makes nothing of it', async () => {
      const target = await harness.broken();
      await expect(objectsOf(target)).rejects.toThrow();
    });

    it('ends when it is called off', async () => {
      const system = await harness.create();
      await makeAll(system, ['web1', 'web2']);
      const target = await system.open();
      const controller = new AbortController();
      controller.abort(new Error('stop'));
      const read = objectsOf(target, controller.signal);
      await Promise.race([read.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 5_000))]);
    });
  });

  const kindOf = (id: string) => kinds.find((kind) => kind.id === id);
  const isSecret = (kind: string, field: string): boolean => kindOf(kind)?.fields[field]?.secret === true;
  const isOnce = (kind: string, field: string): boolean => kindOf(kind)?.fields[field]?.once === true;
  const isPlain = (kind: string, field: string): boolean =>
    kindOf(kind)?.fields[field] !== undefined && !isSecret(kind, field) && !isOnce(kind, field);

  /** Creates the objects wanted by hosts of these names, each once, in the order of kinds. */
  async function makeAll(system: ObjectTargetSystem, hostnames: readonly string[]): Promise<readonly WantedObject[]> {
    const target = await system.open();
    const wanted = distinct(hostnames.flatMap((hostname) => target.wanted(record(hostname, harness.variables(0)))));
    const outcomes = await applyAll(target, wanted.map(createOf), []);
    expect(outcomes).toEqual(wanted.map(() => MADE));
    return wanted;
  }

  /** Calls as Muster does: kinds in their order, one action at a time, at most a batch. */
  async function applyAll(
    target: ObjectTarget,
    changes: readonly Change[],
    there: readonly RemoteObject[],
  ): Promise<readonly ChangeOutcome[]> {
    const ids = new Map(there.map((object) => [placeOf(object), object.id]));
    const outcomes = new Map<Change, ChangeOutcome>();
    const context = {
      signal: new AbortController().signal,
      progress() {},
      idOf: (kind: string, key: string) => ids.get(placeOf({ kind, key })),
    };
    for (const kind of kinds) {
      const own = changes.filter((change) => change.kind === kind.id);
      const size = kind.batch ?? 1;
      for (let from = 0; from < own.length; from += size) {
        const batch = own.slice(from, from + size);
        const answers = await target.apply(batch, context);
        expect(answers.length).toBe(batch.length);
        for (const [index, answer] of answers.entries()) {
          const change = batch[index];
          if (change === undefined) continue;
          outcomes.set(change, answer);
          if (answer.done && answer.id !== undefined) ids.set(placeOf(change), answer.id);
        }
      }
    }
    return changes.flatMap((change) => outcomes.get(change) ?? []);
  }
}

const DONE = expect.objectContaining({ done: true });
const MADE = expect.objectContaining({ done: true, id: expect.any(String) });

function record(hostname: string, variables: JsonObject): TargetRecord {
  return {
    hostname,
    variables: StoredJson.ofValue(variables),
    groups: [],
    outcomes: {},
    objectType: 'host',
    isObject: false,
  };
}

function createOf({ kind, key, fields, after = [] }: WantedObject): Change {
  return { action: 'create', kind, key, fields, after };
}

function deleteOf({ kind, key, id, fields, etag }: RemoteObject): Change {
  const tag = etag === undefined ? {} : { etag };
  return { action: 'delete', kind, key, id, fields: {}, current: fields, after: [], ...tag };
}

function distinct(wanted: readonly WantedObject[]): readonly WantedObject[] {
  return [...new Map(wanted.map((object) => [placeOf(object), object])).values()];
}

function placeOf({ kind, key }: { readonly kind: string; readonly key: string }): string {
  return JSON.stringify([kind, key]);
}

async function objectsOf(target: ObjectTarget, signal = new AbortController().signal): Promise<RemoteObject[]> {
  const found: RemoteObject[] = [];
  const given: RemoteObject[] = [];
  const gaps: RemoteGap[] = [];
  for await (const batch of target.read({ signal, progress() {} })) {
    for (const item of batch) {
      if ('gap' in item) gaps.push(item);
      else {
        found.push(item);
        given.push(structuredClone(item));
      }
    }
  }
  expect(gaps).toEqual([]);
  expect(found, 'what was given stays as it was').toEqual(given);
  return found;
}
