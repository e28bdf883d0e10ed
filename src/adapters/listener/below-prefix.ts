import { pathPrefix } from '../../app/kernel/config/path-prefix.ts';
import type { Config } from '../../app/kernel/config/schema.ts';

/**
 * Below a path of its host the service answers with that path and without it: some proxies remove it, others pass it on. All
 * later stages, such as routes, checks and logs, see only URLs without it.
 */
export function withoutPrefix(config: Pick<Config, 'BASE_URL'>): (url: string) => string {
  const prefix = pathPrefix(config);
  if (prefix === '') return (url) => url;
  return (url) => {
    if (!url.startsWith(prefix)) return url;
    const rest = url.slice(prefix.length);
    if (rest === '' || rest.startsWith('?')) return `/${rest}`;
    return rest.startsWith('/') ? rest : url;
  };
}
