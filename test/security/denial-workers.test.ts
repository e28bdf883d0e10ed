import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { explainHost } from '../../src/app/explain/operations/explain-host.ts';
import { tryRule } from '../../src/app/preview/operations/try-rule.ts';
import { ruleFailures } from '../../src/app/rules/operations/rule-failures.ts';
import { BusyService } from './support/busy-service.ts';

/** What one user does must not keep the work of others from being done. */

const INVENTORY = '/api/v1/inventory/automation/automation';
/** As many as one thread takes at once. */
const PLACES = 32;
/** A rule type that never ends to compile, as a rule of a plugin with a fault does. */
const ENDLESS = `export default {
  id: 'endless', apiVersion: 1,
  register(host) {
    host.ruleType({
      id: 'endless', aliases: [], title: 'Endless', description: 'Endless', keyedBy: 'name', uniqueNames: true,
      conditional: false, exportGroup: 'rules', secretMembers: [], schema: {}, check: () => [],
      evaluation: { stage: 'attributes', compile: () => { for (;;); } },
    });
  },
};`;

let service: BusyService;

afterEach(() => service.stop());

describe('readers who do not read', () => {
  it('keep nobody else from the inventory, and lose their places', async () => {
    service = await BusyService.start({ STALLED_READER_SECONDS: 2, WORKER_THREADS: 1 });
    await service.addCaller('attacker', ['automation']);
    await service.addCaller('ansible', ['automation']);
    await service.addHosts(1_000, (index) => ({ index, motd: `${index}`.padEnd(8_000, 'x') }));
    // Once read, so that everybody is known and the threads are there.
    const whole = await (await service.fetch('ansible', INVENTORY)).text();
    await (await service.fetch('attacker', `${INVENTORY}?host=host00001`)).text();

    const stalled = await Promise.all(Array.from({ length: PLACES + 8 }, () => service.ask('attacker', INVENTORY)));
    await sleep(500);
    const honest = await service.fetch('ansible', INVENTORY, { signal: AbortSignal.timeout(40_000) });
    expect(await honest.text()).toBe(whole);

    // Nobody has to go away by himself: the places are taken back.
    const cutOff = () => service.log.filter(({ message }) => message.startsWith('a client did not read its answer'));
    await expect.poll(() => cutOff().length, { timeout: 20_000 }).toBeGreaterThan(0);
    for (const socket of stalled) socket.destroy();
    expect(await (await service.fetch('attacker', INVENTORY)).text()).toBe(whole);
  }, 60_000);

  it('are not those who read slowly', async () => {
    service = await BusyService.start({ STALLED_READER_SECONDS: 2 });
    await service.addCaller('ansible', ['automation']);
    await service.addHosts(1_000, (index) => ({ index, motd: `${index}`.padEnd(8_000, 'x') }));
    const socket = await service.ask('ansible', INVENTORY);
    const begin = performance.now();
    let bytes = 0;
    let end = Buffer.alloc(0);
    while (!end.includes('\r\n0\r\n\r\n')) {
      const [data] = (await once(socket.resume(), 'data')) as [Buffer];
      socket.pause();
      bytes += data.length;
      // What ends the answer may come in two pieces.
      end = Buffer.concat([end, data]).subarray(-16);
      await sleep(30);
    }
    expect(bytes).toBeGreaterThan(8_000_000);
    // Longer in all than somebody may read nothing.
    expect(performance.now() - begin).toBeGreaterThan(2_000);
    socket.destroy();
  }, 60_000);
});

describe('a preview that does not end', () => {
  it('is stopped with its thread, and others are answered meanwhile', async () => {
    service = await BusyService.start({ PREVIEW_TIMEOUT_SECONDS: 10 }, [ENDLESS]);
    const attacker = await service.addCaller('attacker', ['rules']);
    const honest = await service.addCaller('honest', ['rules', 'objects']);
    await service.addHosts(3, (index) => ({ index }));
    const attempt = () =>
      service.run(tryRule, { rule_type: 'endless', document: { name: 'one' }, hostname: 'host00001' }, attacker);
    let isOver = false;
    const attempts = Promise.allSettled([attempt(), attempt()]).finally(() => {
      isOver = true;
    });
    const explained = await service.run(explainHost, { hostname: 'host00001' }, honest);
    expect(explained.hostname).toBe('host00001');
    expect(await service.run(ruleFailures, {}, honest)).toMatchObject({ hosts: 3 });
    expect(isOver).toBe(false);

    for (const outcome of await attempts) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'failed', message: expect.stringContaining('PREVIEW_TIMEOUT_SECONDS') },
      });
    }
    const replaced = service.log.filter(({ message }) => message.includes('its thread is replaced'));
    expect(replaced).toHaveLength(2);
    // Whoever was stopped may try again, with something that ends.
    const document = {
      name: 'colours',
      condition_typ: 'anyway',
      outcomes: [{ attribute_name: 'colour', attribute_value: 'red' }],
    };
    const tried = { rule_type: 'custom_attributes', document, hostname: 'host00001' };
    expect(await service.run(tryRule, tried, attacker)).toMatchObject({ change: 'changed' });
  }, 120_000);
});
