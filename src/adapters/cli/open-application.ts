import { callEnvironment, createApp, processSettings } from '../../app/compose.ts';
import type { Application, OpenRequest } from './application.ts';

/** Composes the program for one command, or for the service, and starts it. */
export async function openApplication({ flags, role, storageMustExist }: OpenRequest): Promise<Application> {
  const app = await createApp({ ...(await processSettings(flags)), role, storageMustExist });
  try {
    await app.start();
  } catch (error) {
    await app.stop().catch(() => undefined);
    throw error;
  }
  return { ...app, inventoryProvider: callEnvironment().inventoryProvider };
}
