import type { IncomingMessage } from 'node:http';
import { basicLogin, type JsonAnswer, JsonServer } from './json-server.ts';

export interface JiraObject {
  readonly id: string;
  readonly type: string;
  /** By the numbers of attributes. */
  readonly values: Map<string, readonly string[]>;
}

/** Attributes of each type, by their names. A server has an attribute that refers to other objects. */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  17: { Key: '170', Name: '171', Serial: '172', OS: '173', 'IP Address': '174', Owner: '175' },
  18: { Key: '180', Name: '181', Room: '182' },
};
const REFERENCE = '175';

/** The part of the Assets REST interface (cloud) that objects need, as its documentation describes it. */
export class JiraServer extends JsonServer {
  readonly objects = new Map<string, JiraObject>();
  readonly password = 't0ken of jira';
  readonly workspace = '0a1b2c3d-0000-4000-8000-000000000001';
  /** Methods and paths of what was asked. */
  readonly calls: string[] = [];
  #lastId = 87;

  put(type: string, named: Readonly<Record<string, string>>): JiraObject {
    const id = String(++this.#lastId);
    const attributes = TYPES[type] ?? {};
    const values = Object.entries(named).map(([name, value]) => [attributes[name] ?? '', [value]] as const);
    const made = {
      id,
      type,
      values: new Map<string, readonly string[]>([[attributes.Key ?? '', [`ITSM-${id}`]], ...values]),
    };
    this.objects.set(id, made);
    return made;
  }

  named(name: string, type = '17'): readonly JiraObject[] {
    return [...this.objects.values()].filter(
      (object) => object.type === type && this.attributeOf(object, 'Name') === name,
    );
  }

  attributeOf({ type, values }: JiraObject, attribute: string): string | null {
    return values.get(TYPES[type]?.[attribute] ?? '')?.[0] ?? null;
  }

  protected override answer(request: IncomingMessage, body: unknown): JsonAnswer {
    if (request.headers.authorization !== basicLogin('me@example.org', this.password))
      return [401, refused('Unauthorized')];
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const base = `/jsm/assets/workspace/${this.workspace}/v1/`;
    if (!pathname.startsWith(base)) return [404, refused('no such workspace')];
    const path = pathname.slice(base.length);
    this.calls.push(`${request.method} ${path}`);
    const { method } = request;
    const page = {
      startAt: Number(searchParams.get('startAt') ?? 0),
      maxResults: Number(searchParams.get('maxResults') ?? 25),
    };
    if (method === 'GET') return this.#read(path, page);
    if (method === 'POST' && path === 'object/aql') {
      return this.#found(
        String((body as { qlQuery: string }).qlQuery),
        page,
        searchParams.get('includeAttributes') === 'true',
      );
    }
    if (method === 'POST' && path === 'object/create') return this.#create(body as Written);
    const id = /^object\/(\d+)$/.exec(path)?.[1] ?? '';
    const object = this.objects.get(id);
    if (object === undefined) return [404, refused(`Object ${id} was not found`)];
    if (method === 'PUT') return this.#update(object, body as Written);
    if (method !== 'DELETE') return [405, refused('no such method')];
    this.objects.delete(id);
    return [200, { deleted: id }];
  }

  #read(path: string, { startAt, maxResults }: Page): JsonAnswer {
    if (path === 'objectschema/list') {
      const schemas = [
        { id: '6', name: 'ITSM', objectSchemaKey: 'ITSM', status: 'Ok' },
        { id: '7', name: 'Rooms', status: 'Ok' },
      ];
      const values = schemas.slice(startAt, startAt + maxResults);
      return [
        200,
        { startAt, maxResults, total: schemas.length, values, isLast: startAt + maxResults >= schemas.length },
      ];
    }
    const schema = /^objectschema\/(\d+)\/objecttypes\/flat$/.exec(path)?.[1];
    if (schema !== undefined)
      return [200, [{ id: schema === '6' ? '17' : '18', name: 'Server', objectSchemaId: schema }]];
    const attributes = TYPES[/^objecttype\/(\d+)\/attributes$/.exec(path)?.[1] ?? ''];
    if (attributes === undefined) return [404, refused('not found')];
    return [
      200,
      Object.entries(attributes).map(([name, id]) => ({ id, name, editable: name !== 'Key', label: name === 'Name' })),
    ];
  }

  #found(query: string, { startAt, maxResults }: Page, withAttributes: boolean): JsonAnswer {
    const [, type, quoted] = /^objectTypeId = (\d+)(?: AND "Name" = ("(?:[^"\\]|\\.)*"))?$/.exec(query) ?? [];
    if (type === undefined) return [400, refused(`The query ${query} could not be parsed`)];
    const name = quoted === undefined ? undefined : (JSON.parse(quoted) as string).toLowerCase();
    const all = [...this.objects.values()].filter(
      (object) =>
        object.type === type && (name === undefined || this.attributeOf(object, 'Name')?.toLowerCase() === name),
    );
    // No more than so many at once, and a total that stops counting.
    const some = all.slice(startAt, startAt + Math.min(maxResults, 200));
    return [
      200,
      {
        startAt,
        maxResults: some.length,
        total: Math.min(all.length, 1000),
        isLast: startAt + some.length >= all.length,
        values: some.map((object) => ({
          id: object.id,
          label: this.attributeOf(object, 'Name'),
          objectKey: `ITSM-${object.id}`,
          objectType: { id: type },
          ...(withAttributes && { attributes: [...object.values].map(([id, values]) => shown(id, values)) }),
        })),
      },
    ];
  }

  #create({ objectTypeId, attributes }: Written): JsonAnswer {
    const known = TYPES[objectTypeId];
    const fault = faultOf(known, attributes);
    if (known === undefined || fault !== undefined) return [400, refused(fault ?? 'no such type')];
    if (!attributes.some((one) => one.objectTypeAttributeId === known.Name)) return [400, refused('Name is required')];
    const made = this.put(objectTypeId, {});
    for (const one of attributes)
      made.values.set(
        one.objectTypeAttributeId,
        one.objectAttributeValues.map(({ value }) => value),
      );
    return [201, { id: made.id, label: this.attributeOf(made, 'Name'), objectKey: `ITSM-${made.id}` }];
  }

  #update(object: JiraObject, { objectTypeId, attributes }: Written): JsonAnswer {
    const fault = objectTypeId === object.type ? faultOf(TYPES[object.type], attributes) : 'the type cannot be changed';
    if (fault !== undefined) return [400, refused(fault)];
    for (const one of attributes)
      object.values.set(
        one.objectTypeAttributeId,
        one.objectAttributeValues.map(({ value }) => value),
      );
    return [200, { id: object.id }];
  }
}

interface Page {
  readonly startAt: number;
  readonly maxResults: number;
}

interface Written {
  readonly objectTypeId: string;
  readonly attributes: readonly {
    readonly objectTypeAttributeId: string;
    readonly objectAttributeValues: readonly { readonly value: string }[];
  }[];
}

function refused(message: string) {
  return { errorMessages: [message], errors: {} };
}

function faultOf(
  known: Readonly<Record<string, string>> | undefined,
  attributes: Written['attributes'],
): string | undefined {
  const numbers = Object.values(known ?? {}).slice(1);
  const odd = attributes.find(({ objectTypeAttributeId }) => !numbers.includes(objectTypeAttributeId));
  return odd === undefined ? undefined : `attribute ${odd.objectTypeAttributeId} cannot be written`;
}

/** Attributes of a default type have a value; those that refer to something say what to. */
function shown(id: string, values: readonly string[]) {
  const objectAttributeValues = values.map((value) =>
    id === REFERENCE
      ? {
          displayValue: `object ${value}`,
          searchValue: value,
          referencedType: true,
          referencedObject: { objectKey: value, label: `object ${value}` },
        }
      : { value, displayValue: value, searchValue: value, referencedType: false },
  );
  return { id: `${id}0`, objectTypeAttributeId: id, objectAttributeValues };
}
