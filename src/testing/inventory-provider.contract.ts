import { describe, expect, it } from 'vitest';
import type { InventoryHost, InventoryProvider, InventoryRequest, JsonObject } from '../ports/index.ts';
import { StoredJson } from '../ports/json.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

export interface InventoryProviderHarness {
  /** A provider with at least one host. */
  create(): Promise<InventoryProvider>;
}

const REQUEST: InventoryRequest = { scope: null, signal: new AbortController().signal };

/** Everything that an inventory provider promises. */
export function describeInventoryProviderContract(name: string, harness: InventoryProviderHarness): void {
  describe(`${name}: inventory provider contract`, LONG_TIMEOUT, () => {
    it('names every host of its document once', async () => {
      const hosts = await hostsOf(await harness.create());
      expect(hosts.size).toBeGreaterThan(0);
    });

    it('gives for one host what the full inventory gives', async () => {
      const provider = await harness.create();
      for (const [hostname, variables] of [...(await hostsOf(provider))].slice(0, 20)) {
        expect(plain(await provider.host(hostname, REQUEST))).toEqual(variables);
      }
    });

    it('answers false for a host that it does not have', async () => {
      const provider = await harness.create();
      expect(await provider.host('no-such-host.invalid', REQUEST)).toBe(false);
    });

    it('gives by its parts what the full inventory gives, and no other hosts', async () => {
      const provider = await harness.create();
      const parts = await provider.parts?.(REQUEST);
      if (parts === undefined) return;
      const all = [...(await hostsOf(provider))].slice(0, 20);
      const asked = [...all.map(([hostname]) => hostname), 'no-such-host.invalid'];
      const given = (await parts.hosts(asked)).map((host): [string, JsonObject] => [host.hostname, variablesOf(host)]);
      expect(new Map(given)).toEqual(new Map(all));
      expect((await provider.parts?.(REQUEST))?.revision).toBe(parts.revision);
    });

    it('keeps its revision while nothing changes', async () => {
      const provider = await harness.create();
      expect(await provider.revision?.(REQUEST)).toEqual(await provider.revision?.(REQUEST));
    });
  });
}

async function hostsOf(provider: InventoryProvider): Promise<ReadonlyMap<string, JsonObject>> {
  const answer = await provider.full(REQUEST);
  const hosts = new Map<string, JsonObject>();
  const add = (hostname: string, variables: JsonObject): void => {
    expect(hosts.has(hostname), `${hostname} stands twice`).toBe(false);
    hosts.set(hostname, variables);
  };
  if (Symbol.asyncIterator in answer) {
    for await (const batch of answer) for (const host of batch) add(host.hostname, variablesOf(host));
  } else {
    for (const hostname of answer.all.hosts) add(hostname, answer._meta.hostvars[hostname] ?? {});
  }
  return hosts;
}

function plain(answer: JsonObject | InventoryHost | false): JsonObject | false {
  if (answer === false) return false;
  return 'variables' in answer && answer.variables instanceof StoredJson
    ? variablesOf(answer as InventoryHost)
    : (answer as JsonObject);
}

function variablesOf(host: InventoryHost): JsonObject {
  return { ...host.variables.value, ...host.expressions };
}
