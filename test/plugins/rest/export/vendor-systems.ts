import type { JsonObject } from '../../../../src/ports/index.ts';
import type { HttpTargetHarness, HttpTargetSystem } from '../../../../src/testing/http-target-faults.ts';
import { type IdoitObject, IdoitServer } from '../../../support/i-doit-server.ts';
import { JiraServer } from '../../../support/jira-server.ts';
import { ServiceNowServer } from '../../../support/servicenow-server.ts';

/** A system that behaves as its vendor's documentation says, and an account whose preset is tried with it. */
export type VendorHarness = Pick<
  HttpTargetHarness,
  'labels' | 'wanted' | 'isWrite' | 'kindOf' | 'refusal' | 'secrets'
> & {
  readonly preset: string;
  /** Labels that several hosts may have. */
  shared(variant: number): JsonObject;
  create(): Promise<HttpTargetSystem>;
};

const SERVICENOW_FIELDS = ['os', 'serial_number', 'ip_address'];

const servicenow: VendorHarness = {
  preset: 'servicenow',
  shared: (variant) => ({ os: `os${variant}`, os_version: '12' }),
  labels: (n, variant) => ({
    os: `os${variant}`,
    serial_number: `SN-${n}`,
    ip_address: `10.0.${n % 250}.1`,
    site: 'x',
  }),
  wanted: (hostname, labels) => [{ kind: 'ci', key: hostname, fields: fieldsOf(labels, SERVICENOW_FIELDS) }],
  isWrite: ({ method, path }) => method === 'DELETE' || (method === 'POST' && !path.includes('/query')),
  kindOf: () => 'ci',
  refusal: { status: 400, body: '{"error":{"message":"it is not taken"},"status":"failure"}' },
  async create() {
    const server = await new ServiceNowServer().start();
    return {
      address: server.url,
      account: (url) => ({ settings: { url, username: 'muster', preset: 'servicenow' }, password: server.password }),
      objects: async () =>
        [...server.items.values()].map((item) => ({
          kind: 'ci',
          key: item.name ?? '',
          fields: fieldsOf(item, SERVICENOW_FIELDS),
          text: JSON.stringify(item),
        })),
      async putForeign(_kind, name) {
        server.put({ name, discovery_source: 'ServiceNow' });
      },
      async change(_kind, name) {
        for (const item of server.named(name)) item.os = 'by hand';
      },
      async remove(_kind, name) {
        for (const { sys_id = '' } of server.named(name)) server.items.delete(sys_id);
      },
      close: () => server.stop(),
    };
  },
};

const IDOIT_WRITES = /"method":"cmdb\.(?:object\.(?!read)|category\.save)/;

const idoit: VendorHarness = {
  preset: 'i-doit',
  secrets: ['k3y of i-doit'],
  shared: (variant) => ({ purpose: `p${variant}`, model: 'R750', ipv4_address: `10.0.0.${variant}` }),
  labels: (n, variant) => ({
    purpose: `p${variant}`,
    serial: `SN-${n}`,
    ipv4_address: `10.0.${n % 250}.${variant % 250}`,
  }),
  wanted: (hostname, labels) => [
    { kind: 'object', key: hostname, fields: fieldsOf(labels, ['purpose', 'serial', 'ipv4_address']) },
  ],
  isWrite: ({ body }) => IDOIT_WRITES.test(body),
  kindOf: () => 'object',
  refusal: { status: 200, body: '{"jsonrpc":"2.0","error":{"code":-32099,"message":"it is not taken"},"id":1}' },
  async create() {
    const server = await new IdoitServer().start();
    const fields = (object: IdoitObject): JsonObject => ({
      purpose: server.attributeOf(object, 'C__CATG__GLOBAL', 'purpose'),
      serial: server.attributeOf(object, 'C__CATG__MODEL', 'serial'),
      ipv4_address: server.attributeOf(object, 'C__CATG__IP', 'ipv4_address'),
    });
    return {
      address: server.url,
      account: (url) => ({
        settings: { url, username: 'muster', preset: 'i-doit', api_token: server.key },
        password: server.password,
      }),
      objects: async () =>
        [...server.objects.values()]
          .filter(({ status }) => status === 'NORMAL')
          .map((object) => ({
            kind: 'object',
            key: object.title,
            fields: fields(object),
            text: JSON.stringify([object.id, [...object.categories]]),
          })),
      async putForeign(_kind, title) {
        server.put(title);
      },
      async change(_kind, title) {
        for (const object of server.titled(title)) server.save(object, 'C__CATG__GLOBAL', { purpose: 'by hand' });
      },
      async remove(_kind, title) {
        for (const { id } of server.titled(title)) server.objects.delete(id);
      },
      close: () => server.stop(),
    };
  },
};

/** The account type of existing installations, whose rules say what objects are. */
export const IDOIT_ACCOUNT: Omit<HttpTargetHarness, 'many' | 'kills'> = {
  ...idoit,
  type: 'i-doit',
  rules: {
    idoit_rules: [
      {
        name: 'objects',
        enabled: true,
        condition_typ: 'anyway',
        conditions: [],
        outcomes: [
          { action: 'id_object_type', param: 'C__OBJTYPE__VIRTUAL_SERVER' },
          {
            action: 'id_category',
            param:
              "{'C__CATG__GLOBAL': [{'purpose': '{{ purpose }}'}], 'C__CATG__MODEL': [{'serial': '{{ serial }}'}], 'C__CATG__IP': [{'ipv4_address': '{{ ipv4_address }}'}]}",
          },
        ],
      },
    ],
  },
  async create() {
    const system = await idoit.create();
    return {
      ...system,
      account(url) {
        const { settings, ...others } = system.account(url);
        const { preset: _, ...options } = settings;
        return { ...others, settings: options };
      },
    };
  },
};

const JIRA_FIELDS = { Serial: 'serial', OS: 'os', 'IP Address': 'ip' } as const;

/** Likewise. */
export const JIRA_ACCOUNT: Omit<HttpTargetHarness, 'many' | 'kills'> = {
  type: 'jira_cloud',
  rules: {
    jira_export: [
      {
        name: 'objects',
        enabled: true,
        condition_typ: 'anyway',
        conditions: [],
        outcomes: Object.entries(JIRA_FIELDS).map(([attribute, label]) => ({
          target: `17|${attribute}`,
          value: `{{ ${label} }}`,
        })),
      },
    ],
  },
  labels: (n, variant) => ({ os: `os${variant}`, serial: `SN-${n}`, ip: `10.0.${n % 250}.${variant % 250}` }),
  wanted: (hostname, labels) => [
    { kind: 'object', key: `17|${hostname}`, fields: fieldsOf(labels, Object.values(JIRA_FIELDS)) },
  ],
  isWrite: ({ method, path }) => method === 'PUT' || method === 'DELETE' || path.endsWith('/object/create'),
  kindOf: () => 'object',
  refusal: { status: 400, body: '{"errorMessages":["it is not taken"],"errors":{}}' },
  nameOf: jiraNameOf,
  async create() {
    const server = await new JiraServer().start();
    /** Keys of what somebody else made, where they have no type. */
    const foreign = new Set<string>();
    const keyOf = (name: string): string => (foreign.has(name) ? name : `17|${name}`);
    const settings = { workspace_id: server.workspace, username: 'me@example.org', ql_query: 'objectType = "Server"' };
    return {
      address: server.url,
      account: (url) => ({ settings: { ...settings, url }, password: server.password }),
      objects: async () =>
        [...server.objects.values()].map((object) => ({
          kind: 'object',
          key: keyOf(server.attributeOf(object, 'Name') ?? ''),
          fields: Object.fromEntries(
            Object.entries(JIRA_FIELDS).map(([attribute, label]) => [label, server.attributeOf(object, attribute)]),
          ),
          text: JSON.stringify([object.id, [...object.values]]),
        })),
      async putForeign(_kind, key) {
        if (!key.startsWith('17|')) foreign.add(key);
        server.put('17', { Name: jiraNameOf(key) });
      },
      async change(_kind, key) {
        for (const object of server.named(jiraNameOf(key))) object.values.set('173', ['by hand']);
      },
      async remove(_kind, key) {
        for (const { id } of server.named(jiraNameOf(key))) server.objects.delete(id);
      },
      close: () => server.stop(),
    };
  },
};

function jiraNameOf(key: string): string {
  return key.replace(/^17\|/, '');
}

function fieldsOf(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

export const VENDORS: readonly VendorHarness[] = [servicenow, idoit];
