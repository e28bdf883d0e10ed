import { describe, expect, it } from 'vitest';
import { PAGE_CHARACTERS, type RuleWrite, type Storage, StoredJson } from '../ports/index.ts';
import { actor, byteOrdered, collect, minute, ruleId, ruleWrite, writeRules } from './samples.ts';

const TYPE = 'custom_attributes';

export function describeRuleStoreContract(fresh: () => Storage): void {
  describe('RuleStore', () => {
    it('imports new documents and gives their text back as it went in', async () => {
      const storage = fresh();
      const { rules } = storage;
      const text = `{ "name" : "r1", "10":1, "9":[ ], "_id":{"$oid":"${ruleId(1)}"}, "__proto__": {"a.b":1}, "$x":"\\ud800" }`;
      const entry = ruleWrite(1, 'r1', {}, { document: StoredJson.ofText(text) });
      expect(await writeRules(rules, [entry])).toEqual(['imported']);
      const rule = await rules.get(TYPE, ruleId(1));
      expect(rule?.document.text).toBe(text);
      expect(rule).toMatchObject({ type: TYPE, id: ruleId(1), name: 'r1', version: 1, changedAt: minute(1) });
      expect((await storage.revisions()).get(`rules/${TYPE}`)).toBeGreaterThan(0);
      expect((await rules.list(TYPE))[0]?.document.text).toBe(text);
      expect((await rules.versions(TYPE, ruleId(1), 1))[0]?.document.text).toBe(text);
    });

    it('keeps types apart', async () => {
      const storage = fresh();
      const { rules } = storage;
      const other = ruleWrite(1, 'same', {}, { type: 'other' });
      expect(await writeRules(rules, [ruleWrite(1, 'same'), other])).toEqual(['imported', 'imported']);
      const before = await storage.revisions();
      await writeRules(rules, [ruleWrite(1, 'same', { a: 1 }, { type: 'other' })], 'replace');
      const after = await storage.revisions();
      expect(after.get(`rules/${TYPE}`)).toBe(before.get(`rules/${TYPE}`));
      expect(after.get('rules/other')).toBeGreaterThan(before.get('rules/other') ?? 0);
      expect((await rules.get(TYPE, ruleId(1)))?.version).toBe(1);
      expect(await rules.get('unknown', ruleId(1))).toBeUndefined();
    });

    it('skips what is there, by id and by unique name', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 })]);
      const before = await storage.revisions();
      const entries = [ruleWrite(1, 'b', { n: 2 }), ruleWrite(2, 'a', { n: 2 })];
      expect(await writeRules(rules, entries)).toEqual(['duplicate', 'duplicate']);
      expect(await storage.revisions()).toEqual(before);
      expect((await rules.list(TYPE)).map((rule) => rule.document.value.n)).toEqual([1]);
    });

    it('lets names repeat where they need not be unique', async () => {
      const { rules } = fresh();
      const free = { uniqueName: false };
      expect(await writeRules(rules, [ruleWrite(2, 'a', {}, free), ruleWrite(1, 'a', {}, free)])).toEqual([
        'imported',
        'imported',
      ]);
      expect((await rules.list(TYPE)).map((rule) => rule.id)).toEqual([ruleId(1), ruleId(2)]);
      expect((await rules.findByName(TYPE, 'a'))?.id).toBe(ruleId(1));
      expect(await rules.findByName(TYPE, 'A')).toBeUndefined();
      expect(await writeRules(rules, [ruleWrite(3, 'a', {}, free)], 'replace')).toEqual(['imported']);
    });

    it('replaces by id, and counts versions', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 })]);
      expect(await writeRules(rules, [ruleWrite(1, 'b', { n: 2 })], 'replace', 2)).toEqual(['replaced']);
      expect(await rules.get(TYPE, ruleId(1))).toMatchObject({ name: 'b', version: 2, changedAt: minute(2) });
      expect(await rules.findByName(TYPE, 'a')).toBeUndefined();
      expect((await rules.findByName(TYPE, 'b'))?.document.value.n).toBe(2);
    });

    it('replaces by unique name, keeping the stored id in the document too', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 })]);
      const text = `{"10":1,"name":"a","_id":{"$oid":"${ruleId(2)}"},"9":2}`;
      const entry = ruleWrite(2, 'a', {}, { document: StoredJson.ofText(text) });
      expect(await writeRules(rules, [entry], 'replace')).toEqual(['replaced']);
      expect(await rules.get(TYPE, ruleId(2))).toBeUndefined();
      const rule = await rules.get(TYPE, ruleId(1));
      expect(rule?.document.text).toBe(text.replace(ruleId(2), ruleId(1)));
      expect(rule?.version).toBe(2);
      const bare = ruleWrite(3, 'a', {}, { document: StoredJson.ofText('{"name":"a"}') });
      await writeRules(rules, [bare], 'replace');
      expect((await rules.get(TYPE, ruleId(1)))?.document.value._id).toEqual({ $oid: ruleId(1) });
    });

    it('prefers the id over the name and refuses two documents of one unique name', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a'), ruleWrite(2, 'b')]);
      expect(await writeRules(rules, [ruleWrite(2, 'a', { n: 1 })], 'replace')).toEqual(['name_taken']);
      expect((await rules.list(TYPE)).map((rule) => rule.name)).toEqual(['a', 'b']);
      expect(await writeRules(rules, [ruleWrite(2, 'b', { n: 1 })], 'replace')).toEqual(['replaced']);
    });

    it('keeps a further value unique', async () => {
      const { rules } = fresh();
      const valued = (id: number, name: string, uniqueValue: string, n = 0) =>
        ruleWrite(id, name, { n }, { uniqueValue });
      expect(await writeRules(rules, [valued(1, 'a', 'x'), valued(2, 'b', 'x'), valued(2, 'b', 'y')])).toEqual([
        'imported',
        'duplicate',
        'imported',
      ]);
      expect(await writeRules(rules, [valued(2, 'b', 'x', 1), valued(3, 'c', 'y')], 'replace')).toEqual([
        'duplicate',
        'duplicate',
      ]);
      expect(await writeRules(rules, [valued(2, 'b', 'z', 2), valued(3, 'c', 'y')], 'replace')).toEqual([
        'replaced',
        'imported',
      ]);
      const other = { ...valued(9, 'a', 'x'), type: 'other' };
      expect(await writeRules(rules, [other])).toEqual(['imported']);
    });

    it('answers one outcome an entry; later entries see earlier ones', async () => {
      const { rules } = fresh();
      const entries = [ruleWrite(1, 'a', { n: 1 }), ruleWrite(2, 'a', { n: 2 }), ruleWrite(1, 'c', { n: 3 })];
      expect(await writeRules(rules, entries)).toEqual(['imported', 'duplicate', 'duplicate']);
      expect(await writeRules(rules, entries, 'replace')).toEqual(['replaced', 'replaced', 'replaced']);
      expect((await rules.list(TYPE)).map((rule) => [rule.name, rule.document.value.n])).toEqual([['c', 3]]);
      expect(await writeRules(rules, [])).toEqual([]);
    });

    describe('on a basis', () => {
      const OTHER = 'other';
      const other = ruleWrite(1, 'a', {}, { type: OTHER });
      const write = (storage: Storage, basis: ReadonlyMap<string, number>, entries = [ruleWrite(2, 'b')]) =>
        storage.rules.write({ entries, mode: 'replace', at: minute(9), actor, basis });
      const basisOf = async (storage: Storage) => {
        const revisions = await storage.revisions();
        return new Map([TYPE, OTHER, 'never'].map((type) => [`rules/${type}`, revisions.get(`rules/${type}`) ?? 0]));
      };

      it.each<readonly [string, (storage: Storage) => Promise<unknown>]>([
        ['a new document', ({ rules }) => writeRules(rules, [ruleWrite(3, 'c', {}, { type: OTHER })])],
        ['a changed one', ({ rules }) => writeRules(rules, [{ ...other, name: 'b' }], 'replace')],
        [
          'a replaced version',
          ({ rules }) =>
            rules.replace({ entry: { ...other, name: 'b' }, expectedVersion: 1, at: minute(2), actor: actor }),
        ],
        [
          'a confirmation',
          ({ rules }) => rules.confirm({ type: OTHER, id: ruleId(1), expectedVersion: 1, by: 'operator' }),
        ],
        ['a removal', ({ rules }) => rules.remove({ type: OTHER, id: ruleId(1), at: minute(2), actor })],
        [
          'a removal in a unit',
          ({ rules }) =>
            rules.write({
              entries: [{ type: OTHER, id: ruleId(1), removes: 1 }],
              ...{ mode: 'replace', at: minute(2), actor },
            }),
        ],
        ['a type that had no document', ({ rules }) => writeRules(rules, [{ ...other, type: 'never' }])],
      ])('writes nothing once %s has moved it', async (_what, move) => {
        const storage = fresh();
        await writeRules(storage.rules, [ruleWrite(1, 'a'), { ...other, confirmedBy: null }]);
        const basis = await basisOf(storage);
        await move(storage);
        const before = await storage.revisions();
        const entries = [ruleWrite(1, 'a', { n: 1 }), ruleWrite(2, 'b')];
        expect(await write(storage, basis, entries)).toEqual(['changed', 'changed']);
        expect(await storage.revisions()).toEqual(before);
        expect((await storage.rules.list(TYPE)).map(({ name, version }) => [name, version])).toEqual([['a', 1]]);
        expect(await write(storage, await basisOf(storage), entries)).toEqual(['replaced', 'imported']);
      });

      it('writes while nothing that it names has moved', async () => {
        const storage = fresh();
        await writeRules(storage.rules, [ruleWrite(1, 'a')]);
        const basis = await basisOf(storage);
        await writeRules(storage.rules, [ruleWrite(1, 'a', {}, { type: 'not named' })]);
        await writeRules(storage.rules, [ruleWrite(1, 'a')]);
        expect(await write(storage, basis)).toEqual(['imported']);
      });

      it('lets exactly one of many write', async () => {
        const storage = fresh();
        const basis = await basisOf(storage);
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, (_, n) => write(storage, basis, [ruleWrite(n, `r${n}`)])),
        );
        expect(outcomes.flat().sort()).toEqual([...Array(11).fill('changed'), 'imported']);
        expect(await storage.rules.list(TYPE)).toHaveLength(1);
      });
    });

    it('removes documents of the expected version in a unit with writes; later entries see that', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [
        ruleWrite(1, 'a', { n: 1 }),
        ruleWrite(2, 'b'),
        ruleWrite(3, 'c', {}, { type: 'other' }),
      ]);
      await writeRules(rules, [ruleWrite(1, 'a', { n: 2 })], 'replace');
      const before = await storage.revisions();
      const removal = (id: number, removes: number, type = TYPE) => ({ type, id: ruleId(id), removes });
      const unit = (entries: Parameters<typeof rules.write>[0]['entries']) =>
        rules.write({ entries, mode: 'replace', at: minute(5), actor });
      expect(await unit([removal(1, 1), removal(2, 2), removal(9, 1)])).toEqual(['conflict', 'conflict', 'conflict']);
      expect(await storage.revisions()).toEqual(before);
      expect(
        await unit([
          ...[ruleWrite(4, 'd'), removal(1, 2), removal(1, 2), ruleWrite(5, 'a')],
          ...[removal(2, 1), ruleWrite(2, 'b', { n: 3 }), removal(3, 1, 'other')],
        ]),
      ).toEqual(['imported', 'removed', 'conflict', 'imported', 'removed', 'imported', 'removed']);
      expect((await rules.list(TYPE)).map(({ id, name, version }) => [id, name, version])).toEqual([
        [ruleId(5), 'a', 1],
        [ruleId(2), 'b', 2],
        [ruleId(4), 'd', 1],
      ]);
      expect(await rules.list('other')).toEqual([]);
      const after = await storage.revisions();
      for (const name of [`rules/${TYPE}`, 'rules/other'])
        expect(after.get(name)).toBeGreaterThan(before.get(name) ?? 0);
      expect((await rules.versions(TYPE, ruleId(1), 1))[0]).toMatchObject({
        ...{ change: 'removed', version: 2, at: minute(5), actor: actor.name },
        document: { value: { n: 2 } },
      });
      expect((await rules.versions(TYPE, ruleId(2), 9)).map(({ change, version }) => [change, version])).toEqual([
        ['created', 2],
        ['removed', 1],
        ['created', 1],
      ]);
    });

    it('answers no more versions than hold so many characters, and one at least', async () => {
      const { rules } = fresh();
      const text = 'x'.repeat(1_000);
      for (const n of [1, 2, 3, 4]) await writeRules(rules, [ruleWrite(1, 'a', { n, text })], 'replace');
      const numbers = async (most: number) =>
        (await rules.versions(TYPE, ruleId(1), 10, most)).map(({ version }) => version);
      expect(await numbers(1)).toEqual([4]);
      expect(await numbers(2_000)).toEqual([4, 3]);
      expect(await numbers(1_000_000)).toEqual([4, 3, 2, 1]);
    });

    it('makes no version for a replacement that is equal to the letter', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 })]);
      const before = await storage.revisions();
      expect(await writeRules(rules, [ruleWrite(1, 'a', { n: 1 })], 'replace', 5)).toEqual(['replaced']);
      expect(await rules.get(TYPE, ruleId(1))).toMatchObject({ version: 1, changedAt: minute(1) });
      expect((await rules.versions(TYPE, ruleId(1), 10)).length).toBe(1);
      expect(await storage.revisions()).toEqual(before);
    });

    it('ends a batch of a scan at the characters of a page, and goes on behind without loss', async () => {
      const { rules } = fresh();
      const text = 'x'.repeat(PAGE_CHARACTERS / 3);
      const entries = Array.from({ length: 10 }, (_, index) => ruleWrite(index + 1, `r${index}`, { text }));
      await writeRules(rules, entries);
      const seen: string[] = [];
      for await (const batch of rules.scan(TYPE, 100)) {
        expect(batch.length).toBeLessThan(entries.length / 2);
        seen.push(...batch.map(({ name }) => name));
      }
      expect(seen).toEqual(entries.map(({ name }) => name));
    });

    it('lists by name in bytes of UTF-8, then id, and scans the same in batches', async () => {
      const { rules } = fresh();
      const names = ['', ...byteOrdered].toReversed();
      const entries = names.flatMap((name, n) => [
        ruleWrite(2 * n + 2, name, {}, { uniqueName: false }),
        ruleWrite(2 * n + 1, name, {}, { uniqueName: false }),
      ]);
      await writeRules(rules, entries);
      const listed = await rules.list(TYPE);
      expect(listed.map((rule) => rule.name)).toEqual(names.toReversed().flatMap((name) => [name, name]));
      for (let n = 0; n < listed.length; n += 2) expect((listed[n]?.id ?? '') < (listed[n + 1]?.id ?? '')).toBe(true);
      const scanned = await collect(rules.scan(TYPE, 5));
      expect(scanned.map((rule) => [rule.name, rule.id])).toEqual(listed.map((rule) => [rule.name, rule.id]));
      for await (const batch of rules.scan(TYPE, 5)) expect(batch.length).toBeLessThanOrEqual(5);
      expect(await rules.list('unknown')).toEqual([]);
      expect(await collect(rules.scan('unknown', 5))).toEqual([]);
    });

    it('counts documents of each type; types without any are absent', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a'), ruleWrite(2, 'b'), ruleWrite(1, 'a', {}, { type: 'other' })]);
      expect(await rules.counts()).toEqual(
        new Map([
          [TYPE, 2],
          ['other', 1],
        ]),
      );
      await rules.remove({ type: 'other', id: ruleId(1), at: minute(2), actor });
      expect(await rules.counts()).toEqual(new Map([[TYPE, 2]]));
    });

    it('replaces one document of the expected version', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [ruleWrite(1, 'a'), ruleWrite(2, 'b', {}, { uniqueValue: 'v' })]);
      const replace = (entry: ReturnType<typeof ruleWrite>, expectedVersion: number) =>
        rules.replace({ entry, expectedVersion, at: minute(2), actor });
      expect(await replace(ruleWrite(9, 'x'), 1)).toBe('not_found');
      expect(await replace(ruleWrite(1, 'a', { n: 1 }), 2)).toBe('conflict');
      expect(await replace(ruleWrite(1, 'b', { n: 1 }), 1)).toBe('name_taken');
      expect(await replace(ruleWrite(1, 'c', { n: 1 }, { uniqueValue: 'v' }), 1)).toBe('name_taken');
      const before = (await storage.revisions()).get(`rules/${TYPE}`) ?? 0;
      expect(await replace(ruleWrite(1, 'c', { n: 1 }), 1)).toBe('replaced');
      expect((await storage.revisions()).get(`rules/${TYPE}`)).toBeGreaterThan(before);
      expect(await rules.get(TYPE, ruleId(1))).toMatchObject({ name: 'c', version: 2, changedAt: minute(2) });
      expect(await replace(ruleWrite(1, 'c', { n: 2 }), 1)).toBe('conflict');
    });

    it('lets exactly one of many replace a version', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a')]);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          rules.replace({ entry: ruleWrite(1, 'a', { n }), expectedVersion: 1, at: minute(2), actor }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'replaced').length).toBe(1);
      expect(outcomes.filter((outcome) => outcome === 'conflict').length).toBe(19);
    });

    it('lets exactly one of many import a name or a value', async () => {
      const { rules } = fresh();
      const named = await Promise.all(Array.from({ length: 20 }, (_, n) => writeRules(rules, [ruleWrite(n + 1, 'a')])));
      expect(named.flat().filter((outcome) => outcome === 'imported').length).toBe(1);
      const valued = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          writeRules(rules, [ruleWrite(n + 100, `v${n}`, {}, { uniqueValue: 'x' })]),
        ),
      );
      expect(valued.flat().filter((outcome) => outcome === 'imported').length).toBe(1);
    });

    it('keeps who vouches for a document, and changes that with its text', async () => {
      const { rules } = fresh();
      const confirmedBy = async () => (await rules.get(TYPE, ruleId(1)))?.confirmedBy;
      const write = (n: number, by: RuleWrite['confirmedBy'], version = n) =>
        writeRules(rules, [ruleWrite(1, 'a', { n }, { confirmedBy: by })], 'replace', version);
      await write(1, 'keep');
      expect(await confirmedBy()).toBeNull();
      await write(2, 'administrator');
      expect(await confirmedBy()).toBe('administrator');
      await write(3, 'keep');
      expect(await confirmedBy()).toBe('administrator');
      await write(4, null);
      expect(await confirmedBy()).toBeNull();
      await write(5, 'operator');
      expect(await confirmedBy()).toBe('operator');
      await write(6, 'administrator');
      expect(await confirmedBy()).toBe('administrator');
      const records = [...(await rules.list(TYPE)), ...(await collect(rules.scan(TYPE, 10)))];
      expect(records.map((record) => record.confirmedBy)).toEqual(['administrator', 'administrator']);
      expect((await rules.findByName(TYPE, 'a'))?.confirmedBy).toBe('administrator');
    });

    it('lets an equal document be vouched for, and never less than before', async () => {
      const storage = fresh();
      const { rules } = storage;
      const write = (by: RuleWrite['confirmedBy']) =>
        writeRules(rules, [ruleWrite(1, 'a', { n: 1 }, { confirmedBy: by })], 'replace');
      await write(null);
      const before = await storage.revisions();
      expect(await write('administrator')).toEqual(['replaced']);
      expect(await rules.get(TYPE, ruleId(1))).toMatchObject({ confirmedBy: 'administrator', version: 1 });
      const after = await storage.revisions();
      expect(after.get(`rules/${TYPE}`)).toBeGreaterThan(before.get(`rules/${TYPE}`) ?? 0);
      await write(null);
      expect((await rules.get(TYPE, ruleId(1)))?.confirmedBy).toBe('administrator');
      await write('operator');
      await write('administrator');
      expect((await rules.get(TYPE, ruleId(1)))?.confirmedBy).toBe('operator');
      expect(await rules.versions(TYPE, ruleId(1), 10)).toHaveLength(1);
      expect(await storage.revisions()).not.toEqual(after);
    });

    it('keeps who vouches with a replaced version too', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 }, { confirmedBy: 'administrator' })]);
      const replace = (n: number, confirmedBy: RuleWrite['confirmedBy']) =>
        rules.replace({
          entry: ruleWrite(1, 'a', { n }, { confirmedBy }),
          expectedVersion: n - 1,
          at: minute(n),
          actor,
        });
      expect(await replace(2, 'keep')).toBe('replaced');
      expect((await rules.get(TYPE, ruleId(1)))?.confirmedBy).toBe('administrator');
      expect(await replace(3, null)).toBe('replaced');
      expect((await rules.get(TYPE, ruleId(1)))?.confirmedBy).toBeNull();
    });

    it('confirms a document of the expected version, without a version of its own', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 }, { confirmedBy: null })]);
      const confirm = (expectedVersion: number, by: 'operator' | 'administrator', id = 1) =>
        rules.confirm({ type: TYPE, id: ruleId(id), expectedVersion, by });
      expect(await confirm(2, 'administrator')).toBe('conflict');
      expect(await confirm(1, 'administrator', 2)).toBe('not_found');
      expect((await rules.get(TYPE, ruleId(1)))?.confirmedBy).toBeNull();
      const before = await storage.revisions();
      expect(await confirm(1, 'administrator')).toBe('confirmed');
      const after = await storage.revisions();
      expect(after.get(`rules/${TYPE}`)).toBeGreaterThan(before.get(`rules/${TYPE}`) ?? 0);
      expect(await rules.get(TYPE, ruleId(1))).toMatchObject({ confirmedBy: 'administrator', version: 1 });
      expect(await confirm(1, 'operator')).toBe('confirmed');
      expect(await confirm(1, 'administrator')).toBe('confirmed');
      expect((await rules.get(TYPE, ruleId(1)))?.confirmedBy).toBe('operator');
      expect((await rules.get(TYPE, ruleId(1)))?.document.value.n).toBe(1);
      expect(await rules.versions(TYPE, ruleId(1), 10)).toHaveLength(1);
    });

    it('removes a document and keeps a last version of it', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 })]);
      const before = (await storage.revisions()).get(`rules/${TYPE}`) ?? 0;
      const request = { type: TYPE, id: ruleId(1), at: minute(2), actor };
      expect(await rules.remove(request)).toBe(true);
      expect((await storage.revisions()).get(`rules/${TYPE}`)).toBeGreaterThan(before);
      expect(await rules.remove(request)).toBe(false);
      expect(await rules.get(TYPE, ruleId(1))).toBeUndefined();
      const [last] = await rules.versions(TYPE, ruleId(1), 1);
      expect(last).toMatchObject({ change: 'removed', version: 1, at: minute(2), actor: actor.name, name: 'a' });
      expect(last?.document.value.n).toBe(1);
    });

    it('goes on with the versions of a document that was removed and is made anew', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 }), ruleWrite(1, 'a', { n: 2 })], 'replace');
      const request = { type: TYPE, id: ruleId(1), at: minute(2), actor };
      await rules.remove(request);
      expect(await writeRules(rules, [ruleWrite(2, 'b'), ruleWrite(1, 'a', { n: 3 })], 'skip', 3)).toEqual([
        'imported',
        'imported',
      ]);
      expect((await rules.list(TYPE)).map(({ name, version }) => [name, version])).toEqual([
        ['a', 3],
        ['b', 1],
      ]);
      // Many at once are planned in another way than few.
      await rules.remove(request);
      const many = Array.from({ length: 120 }, (_, n) => ruleWrite(n + 10, `many${n}`));
      await writeRules(rules, [...many, ruleWrite(1, 'a', { n: 4 })]);
      expect(await rules.get(TYPE, ruleId(1))).toMatchObject({ version: 4 });
      expect((await rules.versions(TYPE, ruleId(1), 10)).map(({ version, change }) => [version, change])).toEqual([
        [4, 'created'],
        [3, 'removed'],
        [3, 'created'],
        [2, 'removed'],
        [2, 'replaced'],
        [1, 'created'],
      ]);
      const confirmation = { type: TYPE, id: ruleId(1), by: 'administrator' } as const;
      for (const expectedVersion of [1, 2, 3]) {
        expect(await rules.confirm({ ...confirmation, expectedVersion })).toBe('conflict');
        const entry = ruleWrite(1, 'a', { n: 9 });
        expect(await rules.replace({ entry, expectedVersion, at: minute(5), actor })).toBe('conflict');
      }
    });

    it('keeps a version of every change, newest first', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 }), ruleWrite(1, 'a', { n: 2 })], 'replace');
      await rules.replace({ entry: ruleWrite(1, 'b', { n: 3 }), expectedVersion: 2, at: minute(4), actor });
      const versions = await rules.versions(TYPE, ruleId(1), 10);
      expect(versions.map((item) => [item.version, item.change, item.name, item.document.value.n, item.at])).toEqual([
        [3, 'replaced', 'b', 3, minute(4)],
        [2, 'replaced', 'a', 2, minute(1)],
        [1, 'created', 'a', 1, minute(1)],
      ]);
      expect((await rules.versions(TYPE, ruleId(1), 2)).map((item) => item.version)).toEqual([3, 2]);
      expect(await rules.versions(TYPE, ruleId(9), 10)).toEqual([]);
      expect(await rules.oldestVersion(TYPE, ruleId(1))).toEqual(versions.at(-1));
      expect(await rules.oldestVersion(TYPE, ruleId(9))).toBeUndefined();
    });

    it('tells what counted before a moment of many documents at a time', async () => {
      const { rules } = fresh();
      const write = (n: number, at: number, document = {}) =>
        writeRules(rules, [ruleWrite(n, `r${n}`, document)], 'replace', at);
      for (const n of [1, 2, 3, 4, 7]) await write(n, 1, { n: 1 });
      for (const at of [2, 3, 5]) await write(1, at, { n: at });
      await rules.remove({ type: TYPE, id: ruleId(2), at: minute(3), actor });
      await write(2, 6, { n: 6 });
      await rules.remove({ type: TYPE, id: ruleId(3), at: minute(5), actor });
      await write(5, 5, { n: 5 });
      await writeRules(rules, [ruleWrite(1, 'other', { n: 9 }, { type: 'other' })]);
      const told = async (moment: number, type = TYPE) => {
        const ids = [1, 2, 3, 4, 5, 9, 1].map(ruleId);
        const states = await rules.statesBefore(type, ids, minute(moment));
        const entries = [...states].map(([id, { newest, before }]) => {
          return [id, [newest.version, newest.change, typeof before === 'string' ? before : before.document.value.n]];
        });
        return Object.fromEntries(entries);
      };
      expect(await told(4)).toEqual({
        [ruleId(1)]: [4, 'replaced', 3],
        [ruleId(2)]: [expect.any(Number), 'created', 'absent'],
        [ruleId(3)]: [expect.any(Number), 'removed', 1],
        [ruleId(4)]: [1, 'created', 1],
        [ruleId(5)]: [1, 'created', 'absent'],
      });
      // Before, and not at: the change of that moment does not count yet.
      expect((await told(3))[ruleId(1)]).toEqual([4, 'replaced', 2]);
      expect((await told(1))[ruleId(1)]).toEqual([4, 'replaced', 'absent']);
      expect(await told(4, 'other')).toEqual({ [ruleId(1)]: [1, 'created', 9] });
      expect(await rules.statesBefore(TYPE, [], minute(4))).toEqual(new Map());
      await rules.pruneVersions(minute(5));
      expect((await told(4))[ruleId(1)]).toEqual([4, 'replaced', 'not_kept']);
      const many = Array.from({ length: 1_500 }, (_, n) => ruleId(n));
      expect((await rules.statesBefore(TYPE, many, minute(9))).get(ruleId(7))?.before).toMatchObject({ version: 1 });
    });

    it('finds the documents that were removed, the last one first', async () => {
      const { rules } = fresh();
      await writeRules(
        rules,
        [1, 2, 3, 4].map((n) => ruleWrite(n, `r${n}`, { n })),
      );
      await writeRules(rules, [ruleWrite(1, 'r1', {}, { type: 'other' })]);
      for (const n of [1, 3, 2]) await rules.remove({ type: TYPE, id: ruleId(n), at: minute(n + 1), actor });
      await rules.remove({ type: 'other', id: ruleId(1), at: minute(9), actor });
      const removed = async (type?: string, batchSize = 10) => {
        const found = await collect(rules.lastVersions({ change: 'removed', ...(type && { type }) }, batchSize));
        return found.map((version) => `${version.type} ${version.name}`);
      };
      expect(await removed(TYPE)).toEqual([`${TYPE} r2`, `${TYPE} r3`, `${TYPE} r1`]);
      expect(await removed(TYPE, 1)).toEqual([`${TYPE} r2`, `${TYPE} r3`, `${TYPE} r1`]);
      expect(await removed()).toEqual(['other r1', `${TYPE} r2`, `${TYPE} r3`, `${TYPE} r1`]);
      expect(await removed('unknown')).toEqual([]);
      const [last] = await collect(rules.lastVersions({ change: 'removed', type: TYPE }, 1));
      expect(last).toMatchObject({ id: ruleId(2), version: 1, change: 'removed', at: minute(3), actor: actor.name });
      expect(last?.document.value.n).toBe(2);
      // One that came back is there again; removed once more it is listed once.
      await writeRules(rules, [ruleWrite(3, 'r3', { n: 5 })]);
      expect(await removed(TYPE)).toEqual([`${TYPE} r2`, `${TYPE} r1`]);
      await rules.remove({ type: TYPE, id: ruleId(3), at: minute(9), actor });
      expect(await removed(TYPE, 1)).toEqual([`${TYPE} r3`, `${TYPE} r2`, `${TYPE} r1`]);
    });

    it('finds the documents that nobody changed since they were made, the newest first', async () => {
      const { rules } = fresh();
      await writeRules(
        rules,
        [1, 2, 3, 4].map((n) => ruleWrite(n, `r${n}`)),
      );
      await writeRules(rules, [ruleWrite(2, 'r2', { n: 1 })], 'replace', 2);
      await rules.remove({ type: TYPE, id: ruleId(3), at: minute(2), actor });
      const made = async (batchSize: number) =>
        (await collect(rules.lastVersions({ change: 'created', type: TYPE }, batchSize))).map(({ name }) => name);
      expect(await made(10)).toEqual(['r4', 'r1']);
      expect(await made(1)).toEqual(['r4', 'r1']);
      await writeRules(rules, [ruleWrite(3, 'r3')], 'skip', 3);
      expect(await made(1)).toEqual(['r3', 'r4', 'r1']);
    });

    it('prunes old versions, but never the newest of an existing document', async () => {
      const { rules } = fresh();
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 }), ruleWrite(2, 'b', { n: 1 }), ruleWrite(3, 'c')]);
      await writeRules(rules, [ruleWrite(1, 'a', { n: 2 })], 'replace', 2);
      await writeRules(rules, [ruleWrite(1, 'a', { n: 3 })], 'replace', 3);
      await rules.remove({ type: TYPE, id: ruleId(3), at: minute(2), actor });
      expect(await rules.pruneVersions(minute(3))).toBe(4);
      expect((await rules.versions(TYPE, ruleId(1), 10)).map((item) => item.version)).toEqual([3]);
      expect((await rules.versions(TYPE, ruleId(2), 10)).map((item) => item.version)).toEqual([1]);
      expect(await rules.versions(TYPE, ruleId(3), 10)).toEqual([]);
    });

    it('puts other documents in the place of kept versions, and leaves all else of the history as it was', async () => {
      const storage = fresh();
      const { rules } = storage;
      await writeRules(rules, [ruleWrite(1, 'a', { n: 1 }), ruleWrite(2, 'b', { n: 1 })]);
      await writeRules(rules, [ruleWrite(1, 'a', { n: 2 })], 'replace', 2);
      await writeRules(rules, [ruleWrite(1, 'a', { n: 3 })], 'replace', 3);
      await rules.remove({ type: TYPE, id: ruleId(1), at: minute(4), actor });
      const before = await rules.versions(TYPE, ruleId(1), 10);
      const revision = (await storage.revisions()).get(`rules/${TYPE}`);
      const documents = new Map([1, 3, 9].map((version) => [version, StoredJson.ofValue({ 2: 'b', 1: 'a', version })]));
      await rules.rewriteVersions({ type: TYPE, id: ruleId(1), documents });
      const after = await rules.versions(TYPE, ruleId(1), 10);
      expect(after.map(({ document }) => document.text)).toEqual(
        before.map(({ version, document }) => documents.get(version)?.text ?? document.text),
      );
      expect(after.map(({ document: _, ...rest }) => rest)).toEqual(before.map(({ document: _, ...rest }) => rest));
      expect((await rules.versions(TYPE, ruleId(2), 10)).map(({ document }) => document.value.n)).toEqual([1]);
      expect((await storage.revisions()).get(`rules/${TYPE}`)).toBe(revision);
      await rules.rewriteVersions({ type: TYPE, id: ruleId(7), documents });
      expect(await rules.versions(TYPE, ruleId(7), 10)).toEqual([]);
    });

    it('keeps documents of a megabyte', async () => {
      const { rules } = fresh();
      const big = 'x\u00e4'.repeat(500_000);
      await writeRules(rules, [ruleWrite(1, 'a', { big })]);
      expect((await rules.get(TYPE, ruleId(1)))?.document.value.big).toBe(big);
    });
  });
}
