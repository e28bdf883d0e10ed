import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startMongodbServer } from './mongodb-server.ts';
import { startPostgresqlServer } from './postgresql-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseStarter: string;
  }
}

const buildScript = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

// Worker threads are run from dist/, where they are one file each. Tests of the core do not need them, so a part that does
// not build just now must not keep those from running; `npm test` builds beforehand and stops there.
async function buildProgram(): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [buildScript]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(
      '\nThe program does not build: dist/ is older than the sources, and tests that run it test the old one.\n',
    );
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildProgram();
  project.onTestsRerun(buildProgram);

  // Workers ask for the databases over HTTP, so that each starts only in runs that need it, and once.
  const starters = { mongodb: startMongodbServer, postgresql: startPostgresqlServer };
  const databases = new Map<string, ReturnType<typeof startMongodbServer>>();
  const starter = createServer(async ({ url = '' }, response) => {
    try {
      const name = url.slice(1) as keyof typeof starters;
      const database = databases.get(name) ?? starters[name]();
      databases.set(name, database);
      response.end((await database).url);
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  });
  starter.listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('databaseStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}/`);

  return async () => {
    starter.close();
    starter.closeAllConnections();
    for (const database of databases.values()) await (await database.catch(() => undefined))?.stop();
  };
}
