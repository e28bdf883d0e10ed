import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import type { StorageHarness } from '../../../src/testing/harness.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';

/** What stands in every file that nobody may read: its first line could be a header, its first word JSON. */
export const SECRET = 'c0ffee'.repeat(10);

const LINES_SOURCE = fileURLToPath(new URL('lines-source.mjs', import.meta.url));

/** A machine with a service, its data and files of others. */
export class FileWorld {
  readonly muster: OperationsApp;
  readonly root: string;
  /** Administers the service, over REST. */
  readonly administrator: Caller;
  readonly #close: () => Promise<void>;

  private constructor(muster: OperationsApp, root: string, administrator: Caller, close: () => Promise<void>) {
    this.muster = muster;
    this.root = root;
    this.administrator = administrator;
    this.#close = close;
  }

  static async create(create: StorageHarness['create']): Promise<FileWorld> {
    const root = await mkdtemp(join(tmpdir(), 'muster-files-'));
    const opened = await create();
    const muster = await OperationsApp.over(opened.storage, { DATA_DIR: join(root, 'data'), PLUGINS: [LINES_SOURCE] });
    const administrator = await muster.addCaller('root', { admin: true, roles: ['all'] });
    const world = new FileWorld(muster, root, administrator, async () => {
      await muster.stop();
      await opened.close();
      await rm(root, { recursive: true });
    });
    await world.write('data/instance.key', `${SECRET}\n`);
    await world.write('data/other', `${SECRET}\n`);
    await world.write('elsewhere/secrets', `${SECRET}\nline two\n`);
    await world.write('elsewhere/hosts.csv', 'host,site\nelsewhere01,paris\n');
    await world.write('data/imports/hosts.csv', 'host,site\nhonest01,berlin\n');
    await mkdir(world.at('data/exports'));
    await symlink(world.at('elsewhere/secrets'), world.at('data/imports/link'));
    await symlink(world.at('data/instance.key'), world.at('data/imports/key'));
    return world;
  }

  at(path: string): string {
    return join(this.root, path);
  }

  async write(path: string, content: string): Promise<void> {
    await mkdir(dirname(this.at(path)), { recursive: true });
    await writeFile(this.at(path), content);
  }

  read(path: string): Promise<string> {
    return readFile(this.at(path), 'utf8');
  }

  exists(path: string): boolean {
    return existsSync(this.at(path));
  }

  /** The same person at another entrance. */
  through(entrance: Caller['entrance'], caller: Caller = this.administrator): Caller {
    return { ...caller, entrance };
  }

  /** Everything that stands in the log and the audit trail, as a text to search. */
  async told(): Promise<string> {
    const { logs, audit } = this.muster.storage;
    await this.muster.app.services.audit.settled();
    return JSON.stringify(await Promise.all([logs.latest({ limit: 1000 }), audit.latest({ limit: 1000 })]));
  }

  close(): Promise<void> {
    return this.#close();
  }
}
