// The archive of the Ansible collection, and its own changelog, by the programs of Ansible.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { collectionPath } from '../build-collection.mjs';
import { filesBelow } from '../fingerprint.mjs';
import { prepareEnvironment, preparePython } from '../python.mjs';
import { capture, root, SetupError } from '../report.mjs';
import { writeArchive } from './archive.mjs';

const skeleton = join('packaging', 'ansible-collection');
const fragments = join(skeleton, 'changelogs', 'fragments');
const tools = join(root, '.cache', 'release');

/** What the changelog of the collection changes. */
export const collectionChangelog = [join(skeleton, 'changelogs'), join(skeleton, 'CHANGELOG.rst')];

const programOf = (folder, name) => join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', name);

/** Makes the next entry of its changelog of the fragments, where there are any. */
export async function releaseCollectionChangelog(version, day) {
  if ((await fragmentFiles()).length === 0) return;
  await prepareEnvironment(tools, 'scripts/release/requirements.txt', 'Preparing antsibull-changelog')();
  const program = programOf(tools, 'antsibull-changelog');
  // It asks ansible-doc, which is beside it.
  const env = { ...process.env, PATH: [dirname(program), process.env.PATH].join(delimiter) };
  const { code, output } = await capture(program, ['release', '--version', version, '--date', day], {
    cwd: join(root, skeleton),
    env,
  });
  if (code !== 0) throw new SetupError(`The changelog of the collection could not be made.\n\n${output}`);
}

async function fragmentFiles() {
  try {
    return (await readdir(join(root, fragments))).filter((name) => /\.ya?ml$/.test(name));
  } catch {
    return [];
  }
}

/** The archive that ansible-galaxy builds, with its files and nothing else of it: it holds the time and who made it too. */
export async function packCollection(folder, version) {
  await preparePython()();
  const place = await mkdtemp(join(tmpdir(), 'muster-release-'));
  try {
    const { code, output } = await capture(programOf(join(root, '.venv'), 'ansible-galaxy'), [
      'collection',
      'build',
      join('dist', collectionPath),
      '--output-path',
      place,
    ]);
    if (code !== 0) throw new SetupError(`The collection could not be built.\n\n${output}`);
    const name = `muster_cmdb-muster-${version}.tar.gz`;
    const unpacked = await capture('tar', ['-xzf', name], { cwd: place });
    if (unpacked.code !== 0) throw new SetupError(`${name} could not be read.\n\n${unpacked.output}`);
    await rm(join(place, name));
    const files = filesBelow(relative(root, place)).map((path) => [relative(relative(root, place), path), path]);
    await writeArchive(join(folder, name), files);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
