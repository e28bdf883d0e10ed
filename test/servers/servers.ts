import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { whyNot } from './install.ts';
import { endProcess } from './processes.ts';
import type { Recipe, Running } from './recipe.ts';

/** A server for one test file, with an empty folder of its own. */
interface TestServer extends Running {
  stop(): Promise<void>;
}

async function startServer(recipe: Recipe): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), `muster-${recipe.name}-`));
  // Servers that refuse to be root enter it as somebody else.
  await chmod(folder, 0o755);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const running = await recipe.start(folder);
    return {
      ...running,
      async stop() {
        await Promise.all(running.processes.map(endProcess));
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const INSTALL_MINUTES = 10;

/**
 * Tests over a real server, which is installed where it is missing. Where it cannot be had, they are counted as skipped, and the
 * title says why and what to do.
 */
export async function describeServer(recipe: Recipe, suite: (server: () => Running) => void): Promise<void> {
  const reason = await whyNot(recipe);
  const title = reason === undefined ? recipe.name : `${recipe.name}: not run, because ${reason}`;
  describe.skipIf(reason !== undefined)(title, () => {
    let server: TestServer | undefined;
    beforeAll(
      async () => {
        server = await startServer(recipe);
      },
      (recipe.firstStart ?? INSTALL_MINUTES) * 60_000,
    );
    afterAll(() => server?.stop());
    suite(() => server as TestServer);
  });
}
