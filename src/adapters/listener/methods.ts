import type { HttpError } from './errors.ts';

/** A method of an existing path. */
export interface KnownPath {
  readonly method: string;
  readonly path: string;
  /** Set while it does not exist after all. */
  readonly missing?: string;
}

/** Methods that a path with parameters may have been given for. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  return {
    status: 405,
    headers: { allow: allowed.join(', ') },
    body: { message: `${method} is not possible here; use ${allowed.join(' or ')}`, code: 'method_not_allowed' },
  };
}

/** The methods that a path has routes for; `undefined` when it has none. A fixed path wins over one with parameters. */
export function allowedMethods(routes: readonly KnownPath[], path: string): readonly string[] | undefined {
  const matching = routes.filter((route) => route.missing === undefined && patternOf(route.path).test(path));
  if (matching.length === 0) return undefined;
  const fixed = matching.filter((route) => !route.path.includes(':'));
  return methodsOf(fixed.length > 0 ? fixed : matching);
}

interface ShadowedPath {
  readonly path: string;
  /** Methods that a route with parameters would take over. */
  readonly methods: readonly string[];
  readonly allowed: readonly string[];
}

/** Fixed paths such as `/objects/all` that match a pattern such as `/objects/:hostname`: their other methods are refused, too. */
export function shadowedMethods(routes: readonly KnownPath[]): readonly ShadowedPath[] {
  const paths = new Set(routes.filter((route) => !route.path.includes(':')).map((route) => route.path));
  return [...paths].flatMap((path) => {
    const shadowed = routes.some((route) => route.path.includes(':') && patternOf(route.path).test(path));
    const allowed = methodsOf(routes.filter((route) => route.path === path));
    return shadowed ? [{ path, allowed, methods: KNOWN_METHODS.filter((method) => !allowed.includes(method)) }] : [];
  });
}

function methodsOf(routes: readonly KnownPath[]): string[] {
  const methods = new Set<string>();
  for (const { method } of routes) {
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods].sort();
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
}
