import type { ErrorCode } from '../../../ports/index.ts';
import { STATUS_OF_CODE } from '../../listener/errors.ts';
import type { OperationRoute, QueryParameter } from '../route.ts';
import { type JsonSchema, SchemaCollection } from './schemas.ts';
import { SYSTEM_PATHS } from './system-paths.ts';
import { describedTags } from './tags.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly [member: string]: unknown;
}

export interface OpenApiInfo {
  readonly version: string;
  /** Address of the service; relative when absent. */
  readonly baseUrl?: string;
  /** The path below which the service is found; empty at the top of its host. */
  readonly prefix?: string;
}

/** Codes that any route of a signed-in caller can answer with. */
const COMMON: readonly ErrorCode[] = [
  'invalid_input',
  'unauthenticated',
  'insecure_transport',
  'role_missing',
  'rate_limited',
  'internal',
  'unavailable',
];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  304: 'The client already has this answer',
  400: 'The input is invalid; the message says what is wrong',
  401: 'Credentials are missing or not valid, were sent over plain HTTP, or lack the role',
  403: 'The user may not do this',
  404: 'It does not exist, or not for this user',

  409: 'The stored state does not allow it',
  410: 'It is no longer kept; start it again',
  413: 'The body is too large',
  415: 'The body is of a type that is not understood',
  429: 'Too many refused requests from this address',
  500: 'A fault of the service; its log has it under the request id',
  502: 'Something outside of the service failed: a plugin or a remote system',
  503: 'The service cannot answer now; try again',
};

const HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Describes the routes as OpenAPI 3.1. Made from the same schemas that check input and shape output. */
export function openApiDocument(routes: readonly OperationRoute[], info: OpenApiInfo): OpenApiDocument {
  const schemas = new SchemaCollection();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.isAlias || route.missing !== undefined) continue;
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: info.version,
      description: 'Hosts, relations, rules, inventories and monitoring of a CMDB synchroniser.',
      contact: { name: 'Muster' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverOf(info) }],
    security: USER_SECURITY,
    tags: describedTags(['service', ...routes.map(tagOf)]),
    paths: { ...paths, ...SYSTEM_PATHS },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer', description: 'A personal API token' },
        loginHeader: { type: 'apiKey', in: 'header', name: 'x-login-user', description: 'USER:SECRET' },
        tokenHeader: { type: 'apiKey', in: 'header', name: 'x-login-token', description: 'A personal API token' },
      },
      headers: HEADER_COMPONENTS,
      schemas: { ...schemas.named(), Error: ERROR_SCHEMA },
    },
  };
}

/** Paths begin with a slash, so an address with a path must not end in one. */
function serverOf({ baseUrl = '', prefix = '' }: OpenApiInfo): string {
  return (prefix === '' ? baseUrl : baseUrl.replace(/\/+$/, '')) || '/';
}

function operationOf(route: OperationRoute, schemas: SchemaCollection): Record<string, unknown> {
  const { operation } = route;
  const input = schemas.of(operation.input, 'input');
  const properties = (input.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set((input.required ?? []) as string[]);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const inQuery = Object.entries(route.query);
  const elsewhere = new Set([...inPath, ...inQuery.map(([name]) => name), ...Object.keys(route.headers ?? {})]);
  const parameters = [
    ...inPath.map((name) => ({
      name,
      in: 'path',
      required: true,
      ...described(properties[name]),
      schema: { type: 'string', minLength: 1 },
    })),
    ...inQuery.map(([name, parameter]) => queryParameter(name, parameter, schemas)),
    ...Object.values(route.headers ?? {}).map(({ name, description }) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
    ...(route.tagsMember === undefined
      ? []
      : [
          {
            name: 'If-None-Match',
            in: 'header',
            description: 'Tags of answers that the client has',
            schema: { type: 'string' },
          },
        ]),
  ];
  const access = operation.roles === 'decided-by-operation' ? '' : `\n\nRole: ${operation.roles.join(' or ')} or all.`;
  return {
    operationId: `${operation.name.replaceAll('/', '_').replaceAll('-', '_')}${route.isByName ? '_by_name' : ''}`,
    tags: [tagOf(route)],
    summary: operation.title,
    description: `${operation.description}${access}`,
    ...(route.anonymous ? { security: [{}, ...USER_SECURITY] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === 'none'
      ? {}
      : { requestBody: requestBody(route, bodyOf(route, schemas, bodySchema(properties, required, elsewhere))) }),
    responses: responsesOf(route, schemas),
  };
}

function bodyOf(route: OperationRoute, schemas: SchemaCollection, ofInput: JsonSchema): JsonSchema {
  return route.bodySchema === undefined ? ofInput : schemas.add(route.bodySchema);
}

function bodySchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
): JsonSchema {
  const own = Object.entries(properties).filter(([name]) => !elsewhere.has(name));
  const needed = own.map(([name]) => name).filter((name) => required.has(name));
  return { type: 'object', properties: Object.fromEntries(own), ...(needed.length > 0 ? { required: needed } : {}) };
}

function requestBody(route: OperationRoute, schema: JsonSchema): Record<string, unknown> {
  if (route.bytesMember !== undefined) {
    // Bytes of any type are accepted. Generators of clients leave out operations that accept `*/*`.
    return {
      required: false,
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    };
  }
  const text = { schema: { type: 'string' }, example: '{"rule_type": "custom_attributes"}\n{"name": "…"}\n' };
  return {
    required: route.body === 'required',
    content: {
      'application/json': { schema },
      ...(route.textMember === undefined ? {} : { 'text/plain': text }),
    },
  };
}

const FLAG = { type: 'string', enum: ['1', '0', 'true', 'false'], default: '0' };

function queryParameter(name: string, { kind, member }: QueryParameter, schemas: SchemaCollection): JsonSchema {
  // Query strings are text; the operation interprets them.
  const { description, ...schema } = schemas.of(member, 'output');
  return { name, in: 'query', description, schema: kind === 'flag' ? FLAG : withoutMachineLimits(schema) };
}

/** Every integer in JavaScript has these limits, so they carry no information. */
function withoutMachineLimits(schema: JsonSchema): JsonSchema {
  const said = Object.entries(schema).filter(([, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER);
  return Object.fromEntries(said);
}

function responsesOf(route: OperationRoute, schemas: SchemaCollection): Record<string, unknown> {
  const schema = schemas.of(route.output ?? route.operation.output, 'output');
  const responses: Record<string, unknown> = {};
  for (const status of route.statuses) {
    responses[status] = {
      description: status === 201 ? 'At least one was newly written' : 'Done',
      headers: headerReferences(route.tagsMember === undefined ? ['X-Request-Id'] : ['X-Request-Id', 'ETag']),
      content: { [route.mediaType ?? 'application/json']: { schema } },
    };
  }
  if (route.operation.answer === 'stream' && route.mediaType === undefined) {
    responses[304] = { description: DESCRIPTIONS[304], headers: headerReferences(['X-Request-Id']) };
  }
  const codes = new Set<ErrorCode>([...COMMON, ...(route.errors ?? [])]);
  if (route.body !== 'none') codes.add('too_large');
  if (route.body !== 'none' && route.bytesMember === undefined) codes.add('unsupported_media_type');
  if (route.operation.effect !== 'read') codes.add('read_only');
  for (const [status, group] of byStatus(codes)) responses[status] = errorResponse(status, group);
  return responses;
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Record<string, unknown> {
  return {
    description: `${DESCRIPTIONS[status]} (${codes.join(', ')})`,
    headers: headerReferences(['X-Request-Id', ...(HEADERS[status] ?? [])]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function byStatus(codes: ReadonlySet<ErrorCode>): ReadonlyMap<number, readonly ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = STATUS_OF_CODE[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

function headerReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function described(schema: JsonSchema | undefined): { description?: unknown } {
  return schema?.description === undefined ? {} : { description: schema.description };
}

/** Groups follow the base paths, with relations by themselves. */
function tagOf(route: OperationRoute): string {
  const [area = ''] = route.operation.name.split('/');
  if (area === 'relations') return 'relations';
  return route.basePath.replace('/api/v1/', '').split('/')[0] as string;
}

const USER_SECURITY = [{ basic: [] }, { bearer: [] }, { loginHeader: [] }, { tokenHeader: [] }] as const;

const HEADER_COMPONENTS = {
  'X-Request-Id': { description: 'Names the request in the log of the service', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'Basic realm', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'string', pattern: '^\\d+$' } },
  ETag: { description: 'Names this answer; send it as If-None-Match', schema: { type: 'string' } },
} as const;

const ERROR_SCHEMA = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'What is wrong and what to do' },
    code: { type: 'string', enum: [...Object.keys(STATUS_OF_CODE), 'method_not_allowed'].sort() },
    status: { type: 'string', description: 'account_conflict or archived, where a host cannot be written' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
} as const;
