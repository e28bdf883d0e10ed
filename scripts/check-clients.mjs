#!/usr/bin/env node
// Makes clients of the OpenAPI document of a service by the generators that others use, and drives the service with them: test/clients has
// the programs. `node scripts/check-clients.mjs python|go` checks one; where its generator cannot be had it says why, and ends with 3.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { startDemo } from './demo-service.mjs';
import { prepareEnvironment, pythonOf } from './python.mjs';
import { capture, fail, findProgram, root, SetupError } from './report.mjs';

const tools = join(root, '.cache', 'clients');
const programs = join(root, 'test', 'clients');
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const notHere = 3;

const clients = {
  python: { title: 'Python client (openapi-python-client)', prepare: preparePython, check: checkPython },
  go: { title: 'Go client (oapi-codegen)', prepare: prepareGo, check: checkGo },
};

export const clientNames = Object.keys(clients);

/** `report` is told what passed and what did not; the answer is why a client could not be tried at all, if so. */
export async function checkClient(name, report) {
  const { title, prepare, check } = clients[name];
  let generator;
  try {
    generator = await prepare();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return `${title}: ${error.message}`;
  }
  await build();
  const place = await mkdtemp(join(tmpdir(), 'muster-clients-'));
  const demo = await startDemo(place);
  try {
    if (demo.url === undefined) {
      report(title, false, demo.output);
      return undefined;
    }
    const document = join(place, 'openapi.json');
    await writeFile(document, await (await fetch(`${demo.url}/openapi.json`)).text());
    await cp(join(programs, name), join(place, name), { recursive: true });
    const login = { MUSTER_URL: demo.url, MUSTER_USER: demo.user, MUSTER_PASSWORD: demo.password };
    await check({ generator, document, folder: join(place, name), env: { ...process.env, ...login }, title, report });
    return undefined;
  } finally {
    await demo.stop();
    await rm(place, { recursive: true, force: true });
  }
}

async function preparePython() {
  const folder = join(tools, 'python');
  await prepareEnvironment(folder, 'test/clients/requirements.txt', 'Preparing openapi-python-client')();
  return pythonOf(folder);
}

async function checkPython({ generator, document, folder, env, title, report }) {
  // The generator looks for ruff, which comes with it, on the PATH.
  const path = [join(generator, '..'), env.PATH].join(delimiter);
  const made = await capture(
    join(generator, '..', 'openapi-python-client'),
    ['generate', '--path', document, '--meta', 'none', '--output-path', join(folder, 'muster')],
    { cwd: folder, env: { ...env, PATH: path, NO_COLOR: '1', COLUMNS: '200' } },
  );
  report(`${title}: generated`, made.code === 0 && unknownWarnings(made.output).length === 0, made.output);
  if (made.code !== 0) return;
  const { code, output } = await capture(generator, ['drive.py'], { cwd: folder, env });
  report(`${title}: drives a service`, code === 0, output);
}

/**
 * What the generator warns of, but for the two bodies of lines of JSON: they are `text/plain`, which clients of existing installations send
 * and which it has no code for. It makes the same calls for JSON.
 */
function unknownWarnings(output) {
  const warnings = output.split(/(?=^WARNING )/m).filter((text) => text.startsWith('WARNING '));
  const known =
    /^WARNING parsing POST \/api\/v1\/(?:rules\/import|migration\/check) [\s\S]*Unsupported content type text\/plain/;
  return warnings.filter((text) => !known.test(text));
}

async function prepareGo() {
  const go = findProgram('go') ?? ['/usr/local/go/bin/go'].find((path) => existsSync(path));
  if (go === undefined) throw new SetupError('Go is not installed; it is at https://go.dev/dl');
  await mkdir(join(tools, 'go'), { recursive: true });
  const { code, output } = await capture(go, ['install', oapiCodegen], {
    env: { ...process.env, GOBIN: join(tools, 'go') },
  });
  if (code !== 0) throw new SetupError(`oapi-codegen could not be installed: ${output}`);
  return { go, program: join(tools, 'go', process.platform === 'win32' ? 'oapi-codegen.exe' : 'oapi-codegen') };
}

async function checkGo({ generator, document, folder, env, title, report }) {
  const target = join(folder, 'muster');
  await mkdir(target);
  const options = ['-package', 'muster', '-generate', 'types,client', '-o', join(target, 'muster.gen.go')];
  const made = await capture(generator.program, [...options, document], { cwd: folder });
  report(`${title}: generated`, made.code === 0 && !/warning/i.test(made.output), made.output);
  if (made.code !== 0) return;
  const { code, output } = await capture(generator.go, ['run', '.'], {
    cwd: folder,
    env: { ...env, GOFLAGS: '-mod=readonly' },
  });
  report(`${title}: drives a service`, code === 0, output);
}

async function main() {
  const [name] = process.argv.slice(2);
  if (!Object.hasOwn(clients, name)) throw new SetupError('Usage: node scripts/check-clients.mjs python|go');
  const reason = await checkClient(name, (title, passed, output) => {
    console.log(`${passed ? '✓' : '✗'} ${title}`);
    if (passed) return;
    console.log(output);
    process.exitCode = 1;
  });
  if (reason === undefined) return;
  console.log(reason);
  process.exitCode = notHere;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main().catch(fail);
