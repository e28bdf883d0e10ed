import { AppError, type HttpContext } from '../../../ports/index.ts';
import { ENDPOINTS, permission } from '../api/endpoints.ts';
import { openApi } from '../api/open-api.ts';
import type { NetBoxReading } from './read.ts';

/** Connects, and says to which version and as whom. Throws where the token may not see what the account reads. */
export async function checkNetBox(
  { options, account, services }: NetBoxReading,
  context: HttpContext,
): Promise<string> {
  const api = await openApi(options, account, services, context);
  try {
    const user = await api.user(context);
    const missing: string[] = [];
    for (const part of options.parts) {
      const endpoint = ENDPOINTS[part];
      if (!(await api.maySee(endpoint, context))) missing.push(permission('view', endpoint));
    }
    const who = user === undefined ? 'the owner of the token' : user;
    if (missing.length === 0) return `NetBox ${api.version.text} as ${who}`;
    throw new AppError(
      'failed',
      `NetBox ${api.version.text} lets ${who} in, and not see all that the account reads: the permissions ${missing.join(', ')} are missing; give them in NetBox, or take those parts out of parts`,
    );
  } finally {
    await api.http.close();
  }
}
