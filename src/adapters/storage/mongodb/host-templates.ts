import { templatesOf } from '../../../kit/document/templates.ts';
import { isVersion } from './host-version.ts';
import type { Database } from './schema.ts';

const AT_ONCE = 500;

/** Hosts that an older version stored get what their members say of templates beside them. `held` throws when somebody else does so by now. */
export async function noteTemplates({ hosts }: Pick<Database, 'hosts'>, held: () => Promise<void>): Promise<void> {
  const without = { templates: { $exists: false } };
  for (;;) {
    const found = await hosts.find(without, { projection: { members: 1, v: 1, w: 1 }, limit: AT_ONCE }).toArray();
    if (found.length === 0) return;
    await held();
    // One that somebody writes meanwhile has another version by then, and is found again.
    const updates = found.map((host) => ({
      updateOne: { filter: isVersion(host), update: { $set: { templates: templatesOf(host.members) } } },
    }));
    await hosts.bulkWrite(updates, { ordered: false });
  }
}
