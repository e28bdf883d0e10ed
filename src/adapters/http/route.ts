import * as z from 'zod';
import type { Config } from '../../app/kernel/config/schema.ts';
import type { RestEntry } from '../../app/kernel/entrances.ts';
import type { AnyOperation } from '../../app/kernel/operation.ts';

/** A query parameter: a member of the operation's input under the same name. */
export interface QueryParameter {
  /** A `flag` is 1, true, yes or on; or 0, false, no, off or empty. A `text` is passed on unchanged. */
  readonly kind: 'text' | 'flag';
  readonly member: z.ZodType;
}

/** One method and path, and how they become a call of an operation. */
export interface OperationRoute
  extends Omit<RestEntry, 'path' | 'query' | 'aliases' | 'asQuery' | 'missing' | 'basePath' | 'body'> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parameters as `:name`; they are members of the input under that name. */
  readonly path: string;
  /** The path that roles are granted for; used in refusals. */
  readonly basePath: string;
  readonly operation: AnyOperation;
  readonly query: Readonly<Record<string, QueryParameter>>;
  readonly body: 'none' | 'required' | 'optional';
  /** Documented statuses of success. */
  readonly statuses: readonly number[];
  /** Absent from the documentation: another path for the same thing. */
  readonly isAlias: boolean;
  /** True for the path that reaches hosts whatever their names. */
  readonly isByName: boolean;
  /** The route does not exist now: it answers so before anything else. */
  readonly missing?: string;
}

const ROOT = '/api/v1';
const HOST_PATH = '/objects/:hostname';
const BY_NAME = '/objects/by-name/:hostname';
const METHODS: readonly OperationRoute['method'][] = ['GET', 'POST', 'DELETE'];

/** The routes that the operations declare, by path and method. */
export function operationRoutes(
  operations: readonly AnyOperation[],
  config: Pick<Config, 'CMDB_MODE'>,
): readonly OperationRoute[] {
  const routes = operations.flatMap((operation) => {
    const { rest } = operation.at;
    return rest === undefined ? [] : routesOf(operation, rest, config);
  });
  return routes.sort((a, b) => compare(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
}

function routesOf(operation: AnyOperation, rest: RestEntry, config: Pick<Config, 'CMDB_MODE'>): OperationRoute[] {
  const { path: declared, aliases = [], asQuery: _, basePath, query = [], missing, ...others } = rest;
  const [method, path] = declared.split(' ') as [OperationRoute['method'], string];
  const reason = missing?.(config);
  const members = operation.input instanceof z.ZodObject ? operation.input.shape : {};
  const route = {
    ...others,
    method,
    basePath: `${ROOT}${basePath ?? `/${path.split('/')[1]}`}`,
    operation,
    query: Object.fromEntries(query.map((name) => [name, parameterOf(operation, name, members[name])])),
    body: rest.body ?? ('none' as const),
    statuses: rest.statuses ?? [200],
    ...(reason === undefined ? {} : { missing: reason }),
  };
  const at = { ...route, path: `${ROOT}${path}`, isAlias: false, isByName: false };
  const aliased = aliases.map((each) => ({ ...at, path: `${ROOT}${each}`, isAlias: true }));
  // The segment after it is always a hostname: a host may have the name of a fixed path.
  const byName = path.startsWith(HOST_PATH)
    ? [{ ...at, path: `${ROOT}${BY_NAME}${path.slice(HOST_PATH.length)}`, isByName: true }]
    : [];
  return [at, ...aliased, ...byName];
}

/** Returns the paths at which a query parameter selects another operation, as they appear in requests. */
export function queryPaths(operations: readonly AnyOperation[]): readonly QueryPath[] {
  return operations.flatMap(({ at: { rest } }): QueryPath[] => {
    if (rest?.asQuery === undefined) return [];
    const { path, parameter } = rest.asQuery;
    return [{ from: `${ROOT}${path}`, parameter, to: `${ROOT}${rest.path.split(' ')[1]}` }];
  });
}

export interface QueryPath {
  readonly from: string;
  readonly parameter: string;
  readonly to: string;
}

/** Returns the URL under which the router finds the route of a request. */
export function routedUrl(url: string, paths: readonly QueryPath[]): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const path = paths.find(({ from }) => from.length === start && url.startsWith(from));
  if (path === undefined || !new URLSearchParams(url.slice(start)).has(path.parameter)) return url;
  return `${path.to}${url.slice(start)}`;
}

function parameterOf(operation: AnyOperation, name: string, member: z.ZodType | undefined): QueryParameter {
  if (member === undefined)
    throw new Error(`${operation.name}: the input has no member ${name} for its query parameter`);
  const isFlag = member.safeParse(true).success && !member.safeParse('7').success;
  return { kind: isFlag ? 'flag' : 'text', member };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
