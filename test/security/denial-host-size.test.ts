import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { saveHostsBulk } from '../../src/app/hosts/operations/save-hosts-bulk.ts';
import { saveInventoriesBulk } from '../../src/app/hosts/operations/save-inventories-bulk.ts';
import { saveInventory } from '../../src/app/hosts/operations/save-inventory.ts';
import { importRulesOfType } from '../../src/app/rules/operations/import-rules-of-type.ts';
import { BusyService, OPERATOR } from './support/busy-service.ts';

/** Nobody makes a host so large, by whatever entrance, that reading it stops the service. */

const MEBIBYTE = 1024 * 1024;
/** A tenth of what is allowed by default, so that the tests move less. */
const LIMIT = 0.8 * MEBIBYTE;
const HOST = '/api/v1/objects/alpha';
/** Three sections of this fit, four do not. */
const SECTION = { text: 'x'.repeat(0.25 * MEBIBYTE) };

let service: BusyService;

beforeEach(async () => {
  service = await BusyService.start({ MAX_HOST_BYTES: Math.floor(LIMIT) });
  await service.addCaller('writer', ['objects']);
  await service.run(saveHost, { hostname: 'alpha', account: 'lab', labels: { os: 'linux' } });
});

afterEach(() => service.stop());

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return service.fetch('writer', path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function fill(): Promise<void> {
  for (const key of ['one', 'two', 'three']) {
    expect((await post(`${HOST}/inventory`, { key, inventory: SECTION })).status).toBe(200);
  }
}

describe('a host', () => {
  it('does not grow section by section, and the answer names the limit; what is there stays', async () => {
    await fill();
    const refused = await post(`${HOST}/inventory`, { key: 'four', inventory: SECTION });
    expect(refused.status).toBe(400);
    const { code, message } = (await refused.json()) as { code: string; message: string };
    expect([code, message]).toEqual(['invalid_input', expect.stringMatching(/MAX_HOST_BYTES.*838,860 bytes/)]);
    // It is served as ever.
    const host = (await (await service.fetch('writer', HOST)).json()) as { inventory: Record<string, unknown> };
    expect(Object.keys(host.inventory)).toEqual(['one', 'two', 'three']);
    expect((await post(`${HOST}/inventory`, { key: 'one', inventory: {} })).status).toBe(200);
    expect((await post(`${HOST}/inventory`, { key: 'four', inventory: SECTION })).status).toBe(200);
  });

  it('does not grow by labels, one by one or in bulk', async () => {
    await fill();
    const labels = { text: 'x'.repeat(0.15 * MEBIBYTE) };
    expect((await post(HOST, { account: 'lab', labels })).status).toBe(400);
    const objects = [
      { hostname: 'alpha', labels },
      { hostname: 'beta', labels },
    ];
    expect(await service.run(saveHostsBulk, { account: 'lab', objects })).toEqual({
      status: 'saved 1',
      'not-saved': ['alpha'],
    });
  });

  it('does not grow by many sections at once: those that fit are saved, and the others named', async () => {
    const inventories = ['one', 'two', 'three', 'four'].map((key) => ({ hostname: 'alpha', key, inventory: SECTION }));
    expect(await service.run(saveInventoriesBulk, { inventories })).toEqual({
      status: 'saved 3',
      'not-found': [],
      'not-saved': ['alpha'],
    });
  });

  it('does not come too large as a document', async () => {
    const inventory = { one: SECTION, two: SECTION, three: SECTION, four: SECTION };
    const rules = [
      { hostname: 'beta', account: 'lab', labels: {}, inventory },
      { hostname: 'gamma', account: 'lab', labels: {} },
    ];
    expect(await service.run(importRulesOfType, { rule_type: 'host_objects', rules })).toMatchObject({
      imported: 1,
      invalid: 1,
    });
  });

  it('of five mebibytes is written and read by everybody who may', async () => {
    await service.stop();
    service = await BusyService.start();
    await service.addCaller('writer', ['objects']);
    await service.run(saveHost, { hostname: 'alpha', account: 'lab', labels: { os: 'linux' } });
    for (const key of ['one', 'two']) {
      const inventory = { text: 'x'.repeat(2.5 * MEBIBYTE) };
      await service.run(saveInventory, { hostname: 'alpha', key, inventory }, OPERATOR);
    }
    const answer = await service.fetch('writer', HOST);
    expect((await answer.text()).length).toBeGreaterThan(5 * MEBIBYTE);
    const page = await service.fetch('writer', '/api/v1/objects/all?start=0');
    expect(((await page.json()) as { results: unknown[] }).results).toHaveLength(1);
  });
});
