import { createApp } from '../../main/compose.ts';
import { callEnvironment, processSettings } from '../../main/settings.ts';
import { pluginWatch } from '../plugin-watch/plugin-watch.ts';
import type { Application, OpenRequest } from './application.ts';

/** Composes the program for one command, or for the service, and starts it. */
export async function openApplication(request: OpenRequest): Promise<Application> {
  const { start } = request;
  pluginWatch.install();
  const app = await createApp({ ...(await processSettings(request.flags)), ...request });
  const { inventoryProvider, inventoryHost, inventoryHosts } = callEnvironment();
  const chosen = { inventoryProvider, inventoryHost, inventoryHosts };
  if (start === 'none') return { ...app, ...chosen };
  try {
    await app.start();
  } catch (error) {
    if (start === 'tried' && error instanceof Error) return { ...app, ...chosen, startFailure: error };
    await app.stop().catch(() => undefined);
    if (start === 'optional')
      return openApplication({ ...request, flags: { ...request.flags, DATABASE_URL: 'memory:' }, start: 'required' });
    throw error;
  }
  return { ...app, ...chosen };
}
