import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { deleteHost } from '../../../src/app/hosts/operations/delete-host.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { find, put, shelf } from './fixtures/shelf.mjs';
import { inShelfWorld } from './shelf-world.ts';

const names = fc.constantFrom('a', 'b', 'c', 'd');
const values = fc.constantFrom('x', 'y');

/** What happens between runs, here and there. */
const steps = fc.oneof(
  fc.record({ what: fc.constant('save' as const), host: names, key: names, os: values }),
  fc.record({ what: fc.constant('remove' as const), host: names }),
  fc.record({ what: fc.constant('foreign' as const), key: names, owner: fc.constantFrom('nobody', 'other') }),
  fc.record({ what: fc.constant('edit' as const), key: names, os: values }),
  fc.record({ what: fc.constant('delete there' as const), key: names }),
  fc.record({ what: fc.constant('rename there' as const), key: names, to: names }),
  /** A run whose calls break, before or after something was done. */
  fc.record({ what: fc.constant('broken run' as const), isAfter: fc.boolean(), from: fc.nat(2) }),
  fc.record({ what: fc.constant('run' as const) }),
);

it('whatever happens here and there, two runs lead to what is wanted, and nothing foreign is touched', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(steps, { minLength: 1, maxLength: 12 }), (marks, all) =>
      inShelfWorld(marks, async (muster) => {
        const run = () => muster.run(exportAccount, { account: 'out' });
        const foreign = new Map<string, string>();
        const wanted = new Map<string, { key: string; os: string }>();
        const isForeign = (id: string) => foreign.has(id);
        let isAnswerLost = false;
        // What was made by a call whose answer is lost, and renamed or edited before anybody looked, nobody can know for ours without a mark.
        const isKnown = () => marks || !isAnswerLost;
        for (const step of all) {
          const object = 'key' in step ? find('device', step.key) : undefined;
          if (step.what === 'save') {
            await muster.run(saveHost, {
              hostname: step.host,
              account: 'red',
              labels: { name: step.key, os: step.os },
            });
            wanted.set(step.host, step);
          } else if (step.what === 'remove') {
            if (wanted.delete(step.host)) await muster.run(deleteHost, { hostname: step.host });
          } else if (step.what === 'foreign' && object === undefined) {
            const id = put('device', step.key, { os: 'foreign' }, step.owner as 'nobody');
            foreign.set(id, JSON.stringify(shelf.objects.get(id)));
          } else if (step.what === 'edit' && object !== undefined && !isForeign(object.id)) {
            if (isKnown()) object.fields.os = step.os;
          } else if (step.what === 'delete there' && object !== undefined) {
            shelf.objects.delete(object.id);
            foreign.delete(object.id);
          } else if (step.what === 'rename there' && object !== undefined && !isForeign(object.id)) {
            if (isKnown() && find('device', step.to) === undefined) object.key = step.to;
          } else if (step.what === 'broken run') {
            let calls = 0;
            const breaks = () => {
              if (calls++ >= step.from) throw new Error('socket hang up');
              return undefined;
            };
            if (step.isAfter) shelf.after = breaks;
            else shelf.before = breaks;
            isAnswerLost ||= step.isAfter;
            await run();
            Object.assign(shelf, { before: undefined, after: undefined });
          } else if (step.what === 'run') {
            await run();
            isAnswerLost = false;
          }
          for (const [id, text] of foreign) expect(JSON.stringify(shelf.objects.get(id))).toBe(text);
        }
        await run();
        await run();
        shelf.calls.length = 0;
        const last = await run();
        expect(shelf.calls).toEqual([]);
        expect(last.status).not.toBe('failed');
        for (const [id, text] of foreign) expect(JSON.stringify(shelf.objects.get(id))).toBe(text);
        const devices = [...shelf.objects.values()];
        expect(new Set(devices.map(({ key }) => key)).size).toBe(devices.length);
        // What is wanted without contradiction, and in nobody's way, is there and so.
        const wishes = [...wanted.values()];
        for (const { key, os } of wishes) {
          if (wishes.some((other) => other.key === key && other.os !== os)) continue;
          const there = find('device', key);
          if (there !== undefined && isForeign(there.id)) continue;
          expect(there?.fields.os).toBe(os);
        }
        // What is ours and unwanted is gone, unless its host cannot have what it wants instead.
        const unwanted = devices.filter(({ id, key }) => !isForeign(id) && !wishes.some((wish) => wish.key === key));
        const stuck = wishes.filter(
          ({ key, os }) =>
            isForeign(find('device', key)?.id ?? '') || wishes.some((other) => other.key === key && other.os !== os),
        );
        expect(unwanted.length, unwanted.map(({ key }) => key).join()).toBeLessThanOrEqual(stuck.length);
      }),
    ),
    { numRuns: process.env.THOROUGH === '1' ? 400 : 40 },
  );
}, 300_000);

it('an object that was renamed there, and whose name a foreign one took, is kept and told where nothing marks it as ours', () =>
  inShelfWorld(false, async (muster) => {
    const run = () => muster.run(exportAccount, { account: 'out' });
    await muster.run(saveHost, { hostname: 'a', account: 'red', labels: { name: 'b', os: 'x' } });
    await run();
    const ours = find('device', 'b');
    if (ours === undefined) throw new Error('it was not made');
    ours.key = 'a';
    put('device', 'b', { os: 'foreign' }, 'nobody');
    for (let time = 0; time < 2; time++)
      expect(await run()).toMatchObject({ status: 'partial', objects: { conflict: 1, delete: 0 } });
    expect([...shelf.objects.values()].map(({ key }) => key)).toEqual(['a', 'b']);
  }));
