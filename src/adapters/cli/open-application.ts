import { createApp } from '../../app/compose.ts';
import { loadConfig } from '../../app/config/load.ts';
import type { Application, OpenRequest } from './application.ts';

/** Composes the program for one command, or for the service, and starts it. */
export async function openApplication(request: OpenRequest): Promise<Application> {
  const { workingDirectory, environment, flags, role } = request;
  const { config, origins } = await loadConfig({ environment, workingDirectory, flags });
  const app = await createApp({ config, origins, workingDirectory, role });
  try {
    await app.start();
  } catch (error) {
    await app.stop().catch(() => undefined);
    throw error;
  }
  return app;
}
