import type { JsonObject } from '../../../src/ports/index.ts';
import type { HttpTargetHarness } from '../../../src/testing/http-target-faults.ts';
import type { ProgramDatabase } from '../../../src/testing/muster-program.ts';
import type { TargetAccountSettings } from '../../../src/testing/target-faults.contract.ts';
import { dropDatabase, freshUrl } from '../../adapters/mongodb/harness.ts';
import { DeviceRegistry, type Registered } from '../../support/device-registry.ts';

export const THOROUGH = process.env.THOROUGH === '1';

/** The registry of devices, for whatever type of accounts keeps its objects. */
export function registrySystem(account: (url: string) => TargetAccountSettings): Omit<HttpTargetHarness, 'type'> {
  return {
    hasVersions: true,
    ...(THOROUGH ? {} : { failingCalls: [2] }),
    many: THOROUGH ? 20_000 : 2_000,
    kills: THOROUGH ? 10 : 1,
    labels: (n, variant) => ({ site: `s${n % 3}`, os: `os${variant}`, tags: ['a', `${n % 2}`] }),
    wanted: (hostname, { site, os, tags }) => [
      { kind: 'site', key: String(site), fields: { title: `Site ${site}` } },
      { kind: 'device', key: hostname, fields: { site, os, tags } as JsonObject },
    ],
    kindOf: ({ path }) => (path.startsWith('/sites') ? 'site' : 'device'),
    async create() {
      const registry = await new DeviceRegistry().start();
      const find = (kind: string, key: string): Registered => {
        const found = [...tableOf(registry, kind).values()].find(({ name }) => name === key);
        if (found === undefined) throw new Error(`there is no ${kind} ${key}`);
        return found;
      };
      return {
        address: registry.url,
        account,
        async objects() {
          return ['site', 'device'].flatMap((kind) =>
            [...tableOf(registry, kind).values()].map(({ id, name, owner, version, ...fields }) => {
              return {
                kind,
                key: name,
                fields: fields as JsonObject,
                text: JSON.stringify({ id, owner, version, fields }),
              };
            }),
          );
        },
        async putForeign(kind, key) {
          registry.put(`${kind}s` as 'devices', { name: key, owner: 'somebody' });
        },
        async change(kind, key) {
          registry.change(find(kind, key), kind === 'site' ? { title: 'by hand' } : { os: 'by hand' });
        },
        async remove(kind, key) {
          tableOf(registry, kind).delete(find(kind, key).id);
        },
        close: () => registry.stop(),
      };
    },
  };
}

function tableOf(registry: DeviceRegistry, kind: string): Map<string, Registered> {
  return kind === 'site' ? registry.sites : registry.devices;
}

export async function mongodb(): Promise<ProgramDatabase> {
  const url = await freshUrl();
  return { url, drop: () => dropDatabase(url) };
}
