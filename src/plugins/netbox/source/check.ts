import { worded } from '../../../kit/worded.ts';
import { AppError, type HttpContext } from '../../../ports/index.ts';
import { ENDPOINTS, permission } from '../api/endpoints.ts';
import { openApi } from '../api/open-api.ts';
import { PART_IDS, type PartId } from './parts.ts';
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
    for (const part of partsRead(options)) {
      const endpoint = ENDPOINTS[part];
      if (!(await api.maySee(endpoint, context))) missing.push(permission('view', endpoint));
    }
    const version = api.version.text;
    if (missing.length === 0) return `NetBox ${version} as ${user ?? 'the owner of the token'}`;
    const who = user ?? worded`the owner of the token`;
    throw new AppError(
      'failed',
      worded`NetBox ${{ version }} lets ${{ user: who }} in, and not see all that the account reads: the permissions ${{ permissions: missing.join(', ') }} are missing; give them in NetBox, or take them out of parts and sections`,
    );
  } finally {
    await api.http.close();
  }
}

/** Returns the parts that are read for the selected hosts and objects, and for their details. */
function partsRead({ parts, sections }: NetBoxReading['options']): readonly PartId[] {
  const read = new Set<PartId>(parts);
  for (const part of parts) {
    const ports = part === 'devices' ? 'interfaces' : part === 'vms' ? 'vm_interfaces' : undefined;
    const isWithAddresses = part === 'interfaces' || part === 'vm_interfaces';
    if (ports !== undefined && sections.includes('interfaces')) read.add(ports).add('ips');
    if (ports !== undefined && sections.includes('services')) read.add('services');
    if (isWithAddresses) read.add('ips');
  }
  return PART_IDS.filter((part) => read.has(part));
}
