import * as z from 'zod';
import { StoredJson } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { checkSection, checkSectionKey } from '../decisions/inventory.ts';
import { hostnameSchema, sectionSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { tooLargeHost } from '../too-large-host.ts';
import { unknownHost } from './get-host.ts';

export const sectionKeySchema = z.string().describe('Top-level inventory key: no leading $, no dots');

export const saveInventory = defineOperation({
  name: 'hosts/save-inventory',
  title: 'Replace inventory section',
  description: 'Replaces one inventory section of a host. Never creates a host.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'POST /objects/:hostname/inventory', body: 'required', errors: ['not_found'] },
    tool: { name: 'update_host_inventory', replaces: true, idempotent: true },
    page: true,
  },
  input: z.object({ hostname: hostnameSchema, key: sectionKeySchema, inventory: sectionSchema }),
  output: z.object({ status: z.literal('saved') }),
  subject: (input) => input.hostname,
  async run({ hostname, key, inventory }, { services, caller }) {
    checkSectionKey(key);
    checkSection(inventory);
    const section = StoredJson.ofValue(inventory);
    const [outcome] = await services.storage.hosts.saveInventory({
      entries: [{ hostname: hostname.trim(), key, section }],
      scope: hostScopeOf(caller),
      at: services.clock.now(),
      actor: { kind: 'user', name: caller.name },
    });
    if (outcome === 'not_found') throw unknownHost(hostname);
    if (outcome === 'too_large') {
      const given = `section ${key} of ${Buffer.byteLength(section.text)} bytes`;
      throw tooLargeHost(hostname.trim(), given, services.config);
    }
    return { status: 'saved' as const };
  },
});
