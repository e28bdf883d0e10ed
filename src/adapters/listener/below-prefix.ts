import type { IncomingMessage } from 'node:http';
import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { Config } from '../../app/kernel/config/schema.ts';

interface RewritesUrl {
  rewriteUrl?(message: IncomingMessage): string;
}

/**
 * Below a path of its host the service answers with that path and without it: some proxies take it away, others pass it on. What comes
 * after, routes, checks and logs alike, knows only paths without it. An option of the framework, absent at the top of a host.
 */
export function belowPrefix(config: Pick<Config, 'BASE_URL'>): RewritesUrl {
  const prefix = pathPrefix(config);
  if (prefix === '') return {};
  return {
    rewriteUrl({ url = '/' }) {
      if (!url.startsWith(prefix)) return url;
      const rest = url.slice(prefix.length);
      if (rest === '' || rest.startsWith('?')) return `/${rest}`;
      return rest.startsWith('/') ? rest : url;
    },
  };
}
