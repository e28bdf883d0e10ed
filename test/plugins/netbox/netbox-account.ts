import { lazyHttp } from '../../../src/main/http.ts';
import plugin from '../../../src/plugins/netbox/index.ts';
import { netboxOptions } from '../../../src/plugins/netbox/options.ts';
import type { JobType, JsonObject, Source, SourceItem, SourceRecord, SourceType } from '../../../src/ports/index.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

export const TOKEN = 'nbt_reader000001.secret0123456789secret0123456789secret01';

const http = lazyHttp({ now: () => new Date() });
const fewRetries = { attempts: 2, firstSeconds: 0 };

/** What the plugin registers. */
export function registered(): { readonly source: SourceType; readonly jobs: readonly JobType[] } {
  let source: SourceType | undefined;
  const jobs: JobType[] = [];
  const logger = recordingLogger([]);
  const host = {
    logger,
    source: (type: SourceType) => (source = type),
    target: () => undefined,
    ruleType: () => undefined,
    job: (job: JobType) => jobs.push(job),
    jobName: () => undefined,
  };
  plugin.register(host as never, undefined);
  return { source: source as SourceType, jobs };
}

/** The source of an account at an address. */
export function netboxSource(address: string, given: Record<string, unknown> = {}, password = TOKEN): Source {
  const options = netboxOptions().parse({ page_size: 10, ...given });
  const account = { name: 'truth', address, username: '', password };
  return registered().source.open(options, account, {
    logger: recordingLogger([]),
    files: {} as never,
    programs: noPrograms,
    http: { client: (settings) => http.client({ ...settings, retry: { ...settings.retry, ...fewRetries } }) },
  });
}

export async function itemsOf(source: Source, part?: string, since?: string): Promise<readonly SourceItem[]> {
  const items: SourceItem[] = [];
  const context = {
    signal: new AbortController().signal,
    progress: () => undefined,
    ...(part !== undefined && { part }),
    ...(since !== undefined && { since }),
  };
  for await (const batch of source.read(context)) items.push(...batch);
  return items;
}

export function recordsOf(items: readonly SourceItem[]): readonly SourceRecord[] {
  return items.filter((item) => item.kind === 'record');
}

/** A device as NetBox shows it, with other members where they are given. */
export function device(id: number, name: string | null, more: JsonObject = {}): JsonObject {
  return {
    id,
    url: `http://netbox/api/dcim/devices/${id}/`,
    display: name ?? `switch (${id})`,
    name,
    device_type: {
      id: 6,
      url: 'http://netbox/api/dcim/device-types/6/',
      display: 'C9200-48P',
      manufacturer: {
        id: 3,
        url: 'http://netbox/api/dcim/manufacturers/3/',
        name: 'Cisco',
        slug: 'cisco',
        description: '',
      },
      model: 'C9200-48P',
      slug: 'c9200-48p',
      device_count: 12,
    },
    role: { id: 1, url: 'http://netbox/api/dcim/device-roles/1/', name: 'Switch', slug: 'switch', _depth: 0 },
    tenant: null,
    serial: '',
    asset_tag: null,
    site: { id: 2, url: 'http://netbox/api/dcim/sites/2/', display: 'Akron', name: 'Akron', slug: 'akron' },
    rack: null,
    status: { value: 'active', label: 'Active' },
    primary_ip4: null,
    cluster: null,
    virtual_chassis: null,
    tags: [],
    custom_fields: {},
    last_updated: '2026-11-01T10:00:00Z',
    interface_count: 4,
    ...more,
  };
}
