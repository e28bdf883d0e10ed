import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JsonValue } from '../../src/ports/index.ts';
import { basicLogin, type JsonAnswer, JsonServer } from './json-server.ts';

/** Classes, and those that they extend. */
const PARENTS: Readonly<Record<string, string>> = {
  cmdb_ci_hardware: 'cmdb_ci',
  cmdb_ci_netgear: 'cmdb_ci_hardware',
  cmdb_ci_computer: 'cmdb_ci_hardware',
  cmdb_ci_server: 'cmdb_ci_computer',
  cmdb_ci_linux_server: 'cmdb_ci_server',
  cmdb_ci_win_server: 'cmdb_ci_server',
};

/** Choices of the field discovery_source. */
const SOURCES = new Set(['ServiceNow', 'Manual Entry', 'Muster']);

export type Item = Record<string, string>;

interface Payload {
  readonly className: string;
  readonly values: Readonly<Record<string, JsonValue>>;
  readonly sys_object_source_info?: { readonly source_name: string; readonly source_native_key: string };
}

interface Identified {
  readonly item: Item | undefined;
  readonly attempts: JsonValue[];
  readonly error?: string;
}

/**
 * ServiceNow's Table API for configuration items, and its Identification and Reconciliation API, as the documentation describes them:
 * hardware is known by the key that its source has for it, by its serial number, then by its name.
 */
export class ServiceNowServer extends JsonServer {
  readonly items = new Map<string, Item>();
  readonly password = 'pass phrase 1';
  /** Methods and paths of the requests. */
  readonly requests: string[] = [];
  /** Which item a key of a source means. */
  readonly #sources = new Map<string, string>();
  #last = 0;

  /** As a form of the instance does it. */
  put(values: Readonly<Record<string, string>>): Item {
    const sys_id = createHash('md5')
      .update(String(++this.#last))
      .digest('hex');
    const item = { sys_class_name: 'cmdb_ci_server', discovery_source: '', ...values, sys_id };
    this.items.set(sys_id, item);
    return item;
  }

  named(name: string): readonly Item[] {
    return [...this.items.values()].filter((item) => item.name === name);
  }

  protected override answer(request: IncomingMessage, body: unknown): JsonAnswer {
    const url = new URL(request.url ?? '/', this.url);
    if (request.headers.authorization !== basicLogin('muster', this.password)) {
      return failure(401, 'User Not Authenticated');
    }
    this.requests.push(`${request.method} ${url.pathname}`);
    const [, table, id] = /^\/api\/now\/table\/([a-z_]+)(?:\/([0-9a-f]{32}))?$/.exec(url.pathname) ?? [];
    if (table !== undefined) return this.#table(request.method ?? 'GET', table, id, url.searchParams);
    const isQuery = url.pathname === '/api/now/identifyreconcile/query';
    if (request.method !== 'POST' || (!isQuery && url.pathname !== '/api/now/identifyreconcile')) {
      return failure(404, 'Requested URI does not represent any resource');
    }
    const { items } = body as { readonly items: readonly Payload[] };
    const source = url.searchParams.get('sysparm_data_source') ?? '';
    return [200, { result: { items: this.#reconciled(items, source, isQuery), relations: [] } }];
  }

  #table(method: string, table: string, id: string | undefined, asked: URLSearchParams): JsonAnswer {
    const isIn = ({ sys_class_name = '' }: Item): boolean => isA(sys_class_name, table);
    if (method === 'DELETE') {
      const item = this.items.get(id ?? '');
      if (item === undefined || !isIn(item)) return failure(404, 'No Record found');
      this.items.delete(item.sys_id ?? '');
      return [204, undefined];
    }
    if (method !== 'GET') return failure(405, 'Method not supported');
    const conditions = (asked.get('sysparm_query') ?? '').split('^').filter((part) => part !== '');
    const order = conditions.find((part) => part.startsWith('ORDERBY'))?.slice('ORDERBY'.length);
    const tests = conditions.filter((part) => !part.startsWith('ORDERBY')).map((part) => part.split('='));
    const found = [...this.items.values()]
      .filter((item) => isIn(item) && tests.every(([name = '', value]) => (item[name] ?? '') === value))
      .sort((a, b) => (order === undefined ? 0 : (a[order] ?? '') < (b[order] ?? '') ? -1 : 1));
    const offset = Number(asked.get('sysparm_offset') ?? 0);
    const names = (asked.get('sysparm_fields') ?? '').split(',');
    const page = found.slice(offset, offset + Number(asked.get('sysparm_limit') ?? 10_000));
    const result = page.map((item) => Object.fromEntries(names.map((name) => [name, item[name] ?? ''])));
    return [200, { result }];
  }

  #reconciled(payloads: readonly Payload[], source: string, isQuery: boolean): JsonValue[] {
    const answers = new Map<string, { inputIndices: number[] } & Record<string, JsonValue>>();
    for (const [index, payload] of payloads.entries()) {
      const { item, attempts, error } = this.#identified(payload);
      const values = Object.entries(payload.values).map(([name, value]) => [name, String(value ?? '')] as const);
      const { serial_number = '', name = '' } = Object.fromEntries(values);
      // What several of a payload have in common makes one of them.
      const place = item?.sys_id ?? `new ${serial_number === '' ? name : serial_number}`;
      const known = answers.get(place);
      if (known !== undefined) {
        known.inputIndices.push(index);
        continue;
      }
      const isSame = item !== undefined && values.every(([name, value]) => (item[name] ?? '') === value);
      const meant = item === undefined ? 'INSERT' : isSame ? 'NO_CHANGE' : 'UPDATE';
      const operation = error === undefined && SOURCES.has(source) ? meant : 'INSERT_AS_INCOMPLETE';
      let sysId = item?.sys_id ?? 'Unknown';
      if (!isQuery && operation === meant && operation !== 'NO_CHANGE') {
        const own = item ?? this.put({ name, sys_class_name: payload.className });
        sysId = own.sys_id ?? '';
        Object.assign(own, Object.fromEntries(values), { discovery_source: source });
        const { source_native_key: native } = payload.sys_object_source_info ?? {};
        if (native !== undefined) this.#sources.set(`${source} ${native}`, sysId);
      }
      answers.set(place, {
        className: payload.className,
        operation,
        sysId,
        identifierEntrySysId: '556eb250c3400200d8d4bea192d3ae92',
        identificationAttempts: attempts,
        markers: [],
        inputIndices: [index],
        mergedPayloadIds: [],
        errorCount: error === undefined ? 0 : 1,
        ...(error === undefined ? {} : { errors: [{ error: 'MULTI_MATCH', message: error }] }),
      });
    }
    return [...answers.values()];
  }

  #identified({ values, sys_object_source_info: own }: Payload): Identified {
    const attempts: JsonValue[] = [];
    const native = own === undefined ? undefined : this.#sources.get(`${own.source_name} ${own.source_native_key}`);
    const item = native === undefined ? undefined : this.items.get(native);
    if (item !== undefined) return { item, attempts };
    for (const attribute of ['serial_number', 'name']) {
      const wanted = String(values[attribute] ?? '');
      const found = wanted === '' ? [] : [...this.items.values()].filter((one) => one[attribute] === wanted);
      const attemptResult = wanted === '' ? 'SKIPPED' : found.length === 0 ? 'NO_MATCH' : 'MATCHED';
      const searchOnTable = 'cmdb_ci_hardware';
      attempts.push({ identifierName: 'Hardware Rule', attemptResult, attributes: [attribute], searchOnTable });
      if (found.length > 1) return { item: undefined, attempts, error: `Found ${found.length} items by ${attribute}` };
      if (found[0] !== undefined) return { item: found[0], attempts };
    }
    return { item: undefined, attempts };
  }
}

function isA(sysClass: string, table: string): boolean {
  for (let at: string | undefined = sysClass; at !== undefined; at = PARENTS[at]) if (at === table) return true;
  return false;
}

function failure(status: number, message: string): JsonAnswer {
  return [status, { error: { message, detail: null }, status: 'failure' }];
}
