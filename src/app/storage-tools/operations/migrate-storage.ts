import * as z from 'zod';
import { maskedAddress } from '../../../kit/masking/masked-address.ts';
import { AppError } from '../../../ports/index.ts';
import { partsSchema } from '../../maintenance/parts-schema.ts';
import type { MaintenanceServices } from '../../maintenance/services.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { migrateStorage as migrate } from '../../maintenance/transfer/migrate-storage.ts';

export const migrateStorage = defineOperation({
  name: 'storage/migrate-storage',
  title: 'Migrate storage',
  description:
    'Copies everything from the configured store into another one and compares both. The same call finishes an interrupted migration.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'heavy',
  at: {},
  input: z.object({
    to: z.string().min(1).describe('Address of the target: sqlite:<path>, postgresql://… or mongodb://…'),
    force: z.boolean().default(false).describe('Deletes everything in the target first'),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    resumed: z.boolean().describe('True when this finished an interrupted migration'),
    parts: partsSchema,
  }),
  subject: ({ to }) => maskedAddress(to),
  async run({ to, force }, { services, signal, progress }) {
    const source = maskedAddress(services.config.DATABASE_URL);
    await requireContent(services, source);
    const target = await services.openStorage(to);
    try {
      await target.start();
      const { resumed, parts } = await migrate(services.storage, target, { source, force, signal, progress });
      return { from: source, to: maskedAddress(to), resumed, parts: [...parts] };
    } finally {
      await target.stop();
    }
  },
});

/** An empty source is most often a wrong address; copying it would leave a target that looks migrated. */
async function requireContent({ storage }: MaintenanceServices, source: string): Promise<void> {
  if ((await storage.revisions()).size > 0) return;
  throw new AppError('failed', `${source} is empty; check the address of the source`);
}
