import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addAccount } from '../../../../src/app/accounts/operations/add-account.ts';
import { exportAccount } from '../../../../src/app/exports/operations/export-account.ts';
import { deleteHost } from '../../../../src/app/hosts/operations/delete-host.ts';
import { saveHostsBulk } from '../../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { TARGET_PRESETS } from '../../../../src/plugins/rest/export/declaration.ts';
import { namedPreset } from '../../../../src/plugins/rest/preset-files.ts';
import { type ChangeOutcome, type JsonObject, type ObjectTarget, StoredJson } from '../../../../src/ports/index.ts';
import { FaultyProxy, relay } from '../../../../src/testing/faulty-proxy.ts';
import { faultyServer, send } from '../../../../src/testing/faulty-server.ts';
import type { OpenedStorage } from '../../../../src/testing/harness.ts';
import type { HttpTargetSystem } from '../../../../src/testing/http-target-faults.ts';
import { describeObjectTargetContract } from '../../../../src/testing/object-target.contract.ts';
import { createSqlite } from '../../../adapters/sqlite/sqlite-harness.ts';
import { OperationsApp } from '../../../app/operations/operations-app.ts';
import { openTarget, restTargetType } from './target-account.ts';
import { VENDORS, type VendorHarness } from './vendor-systems.ts';

const folder = join(import.meta.dirname, '../../../../src/plugins/rest/presets/targets');
const shipped = readdirSync(folder).map((name) => name.replace('.yaml', ''));

it('each preset of a target is tried with a system', () => {
  expect(VENDORS.map(({ preset }) => preset).sort()).toEqual(shipped.sort());
});

interface Fixture {
  readonly account: { readonly username: string; readonly password: string };
  readonly options?: Readonly<Record<string, string>>;
  readonly variables: JsonObject;
  readonly exchange: readonly {
    readonly asks: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: JsonObject;
    readonly answer: JsonObject;
  }[];
  readonly objects: readonly JsonObject[];
  readonly made: ChangeOutcome;
}

function fixtureOf(preset: string): Fixture {
  return JSON.parse(readFileSync(join(folder, `../../fixtures/targets/${preset}.json`), 'utf8'));
}

const type = await restTargetType();

function opened(system: HttpTargetSystem, address = system.address): Promise<ObjectTarget> {
  const { settings, password = '' } = system.account(address);
  const { username = '', ...options } = settings;
  return openTarget(options, { username, password });
}

for (const vendor of VENDORS) {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const create = async (): Promise<HttpTargetSystem> => {
    const system = await vendor.create();
    closing.push(() => system.close());
    return system;
  };
  const kinds = (await opened(await create())).kinds ?? [];

  describeObjectTargetContract(`the preset ${vendor.preset}`, {
    type,
    kinds,
    async create() {
      const system = await create();
      return {
        open: () => opened(system),
        putForeign: (kind, key) => system.putForeign?.(kind, key) ?? Promise.resolve(),
      };
    },
    broken: async () => opened(await create(), 'http://127.0.0.1:1'),
    variables: (variant) => vendor.shared(variant),
  });

  describe(`the preset ${vendor.preset}`, () => {
    it('says in its file where it is from, and that nobody tried it with a real system', async () => {
      const { documentation, tried } = await namedPreset(TARGET_PRESETS, vendor.preset, '');
      expect(documentation).toMatch(/^https:/);
      expect(tried).toMatch(/not tried/);
      expect(readFileSync(join(folder, `${vendor.preset}.yaml`), 'utf8')).toContain(`--set preset=${vendor.preset}`);
    });

    it('asks what the documentation says, and understands its answers', async () => {
      const { account, options = {}, variables, exchange, objects, made } = fixtureOf(vendor.preset);
      const left = [...exchange];
      const server = await faultyServer((response, { method, path, body }) => {
        const [expected] = left;
        const url = new URL(path, 'http://x');
        expect(`${method} ${url.pathname}`).toBe(expected?.asks);
        expect(Object.fromEntries(url.searchParams)).toMatchObject(expected?.query ?? {});
        if (expected?.body !== undefined) expect(JSON.parse(body)).toMatchObject(expected.body);
        left.shift();
        return send(response, { body: JSON.stringify(expected?.answer) });
      });
      closing.push(() => server.close());
      const target = await openTarget({ url: server.address, preset: vendor.preset, ...options }, account);
      const context = { signal: new AbortController().signal, progress() {}, idOf: () => undefined };
      const found: unknown[] = [];
      for await (const batch of target.read(context)) found.push(...batch);
      expect(found).toMatchObject(objects);
      const host = { hostname: 'web1', groups: [], objectType: 'host', isObject: false, outcomes: {} };
      const [wanted] = target.wanted({ ...host, variables: StoredJson.ofValue(variables) });
      if (wanted === undefined) throw new Error('the host wants nothing');
      expect(await target.apply([{ action: 'create', after: [], ...wanted }], context)).toEqual([made]);
      expect(left).toEqual([]);
    });

    it('makes, changes and deletes what hosts want, and writes nothing the second time', async () => {
      const there = await Exported.to(vendor);
      closing.push(() => there.close());
      await there.save(120, 0);
      expect(await there.run()).toMatchObject({ status: 'done', objects: { create: 120 } });
      await there.expectWhole();
      expect(await there.writesOf(() => there.run())).toBe(0);
      await there.save(120, 1);
      expect(await there.run()).toMatchObject({ status: 'done', objects: { create: 0, update: 120, delete: 0 } });
      await there.expectWhole();
      await there.remove(3);
      expect(await there.run()).toMatchObject({ status: 'done', objects: { delete: 1 } });
      await there.expectWhole();
      expect(await there.writesOf(() => there.run())).toBe(0);
    }, 60_000);

    it('leaves alone what somebody else made, and says what went wrong', async () => {
      const there = await Exported.to(vendor);
      closing.push(() => there.close());
      await there.save(3, 0);
      await there.system.putForeign?.(there.kind, there.hostname(1));
      const before = await there.texts(there.hostname(1));
      expect(await there.run()).toMatchObject({ status: 'partial', objects: { create: 2, conflict: 1 } });
      expect(await there.texts(there.hostname(1))).toEqual(before);
      await there.save(3, 1);
      there.refuse();
      const refused = await there.run();
      expect(refused).toMatchObject({ status: 'partial', summary: { written: 0 }, failures_total: 2 });
      expect(JSON.stringify(refused)).toContain('it is not taken');
      for (const secret of ['pass phrase 1', ...(vendor.secrets ?? [])]) {
        expect(JSON.stringify(refused)).not.toContain(secret);
      }
      there.heal();
      expect(await there.run()).toMatchObject({ summary: { written: 2 }, failures_total: 0 });
    }, 60_000);
  });
}

/** Hosts that are exported to a system by a preset. */
class Exported {
  readonly system: HttpTargetSystem;
  readonly #vendor: VendorHarness;
  readonly #proxy: FaultyProxy;
  readonly #muster: OperationsApp;
  readonly #stored: OpenedStorage;
  readonly #hosts = new Map<number, JsonObject>();

  private constructor(
    system: HttpTargetSystem,
    vendor: VendorHarness,
    proxy: FaultyProxy,
    { muster, stored }: { readonly muster: OperationsApp; readonly stored: OpenedStorage },
  ) {
    this.system = system;
    this.#vendor = vendor;
    this.#proxy = proxy;
    this.#muster = muster;
    this.#stored = stored;
  }

  static async to(vendor: VendorHarness): Promise<Exported> {
    const system = await vendor.create();
    const proxy = await FaultyProxy.before(system.address);
    const stored = await createSqlite();
    const muster = await OperationsApp.over(stored.storage);
    await muster.addAccounts('red');
    const { settings, password = '' } = system.account(proxy.address);
    const all = { ...settings, delete_threshold: '100%' };
    await muster.run(addAccount, { name: 'out', type: 'rest_target', settings: all, password });
    return new Exported(system, vendor, proxy, { muster, stored });
  }

  get kind(): string {
    return this.#vendor.wanted('web', {})[0]?.kind ?? '';
  }

  hostname(n: number): string {
    return `web${n}.example.org`;
  }

  async save(count: number, variant: number): Promise<void> {
    for (let n = 0; n < count; n++) this.#hosts.set(n, this.#vendor.labels(n, variant));
    const objects = [...this.#hosts].map(([n, labels]) => ({ hostname: this.hostname(n), labels }));
    await this.#muster.run(saveHostsBulk, { account: 'red', objects });
  }

  async remove(n: number): Promise<void> {
    this.#hosts.delete(n);
    await this.#muster.run(deleteHost, { hostname: this.hostname(n) });
  }

  run() {
    return this.#muster.run(exportAccount, { account: 'out' });
  }

  async writesOf(run: () => Promise<unknown>): Promise<number> {
    const before = this.#proxy.requests.length;
    await run();
    return this.#proxy.requests.slice(before).filter((request) => this.#vendor.isWrite?.(request)).length;
  }

  /** From now on the system takes no change. */
  refuse(): void {
    const { isWrite, refusal = { status: 422, body: '' } } = this.#vendor;
    this.#proxy.handle = async (response, request, pass) =>
      isWrite?.(request) === true ? send(response, refusal) : relay(response, await pass());
  }

  heal(): void {
    this.#proxy.handle = undefined;
  }

  async texts(key: string): Promise<readonly (string | undefined)[]> {
    return (await this.system.objects()).filter((object) => object.key === key).map(({ text }) => text);
  }

  async expectWhole(): Promise<void> {
    const wanted = [...this.#hosts].flatMap(([n, labels]) => this.#vendor.wanted(this.hostname(n), labels));
    const found = (await this.system.objects()).map(({ kind, key, fields }) => ({ kind, key, fields }));
    const inOrder = (all: readonly { readonly key: string }[]) => all.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(inOrder(found)).toEqual(inOrder(wanted));
  }

  async close(): Promise<void> {
    await this.#muster.stop();
    await this.#stored.close();
    await this.#proxy.close();
    await this.system.close();
  }
}
