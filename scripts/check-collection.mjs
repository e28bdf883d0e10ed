// The Ansible collection as those who publish and install it check it: the sanity tests of ansible-test, and an inventory read by the installed
// archive from a service.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { build } from './build.mjs';
import { buildCollection, collectionPath } from './build-collection.mjs';
import { startDemo } from './demo-service.mjs';
import { capture } from './report.mjs';

export const ansibleRequirement = 'ansible-core==2.19.14';

/**
 * ansible-test gets pip for its virtual environments by a script of a server that not every network reaches, unless the script is in its
 * cache, under a name with the version of pip that ansible-core asks for. This one does the same by what Python and PyPI have.
 */
const pipScript = {
  name: 'get_pip_24_2.py',
  text: `import subprocess
import sys

wanted = [argument for argument in sys.argv[1:] if argument not in ("--no-setuptools", "--no-wheel")]
subprocess.check_call([sys.executable, "-m", "ensurepip"])
subprocess.check_call([sys.executable, "-m", "pip", "install", *wanted])
`,
};

/** What ansible-test runs in containers, or where other interpreters are installed. */
export const uncheckedOfCollection = 'collection on further versions of Python and ansible-core';

const fullName = 'muster_cmdb.muster.muster';

/** `folder` keeps what ansible-test installs; `programs` has Ansible. */
export async function checkCollection({ folder, programs, report }) {
  const home = join(folder, 'ansible-home');
  // Kept between runs, but for what was made of the collection.
  const place = await mkdtemp(join(tmpdir(), 'muster-collection-'));
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(ANSIBLE_|PYTHON|SERVICE_)/.test(name))),
    PATH: [programs, process.env.PATH].join(delimiter),
    HOME: home,
    LC_ALL: 'C.UTF-8',
    ANSIBLE_NOCOLOR: '1',
  };
  const ansible = (program, args, more = {}) =>
    capture(join(programs, program), args, { cwd: place, env: { ...env, ...more } });
  try {
    await buildCollection(place);
    const collection = join(place, collectionPath);
    await checkSanity({ home, programs, collection, env, report });
    const built = await ansible('ansible-galaxy', ['collection', 'build', collection, '--output-path', place]);
    report('Collection (ansible-galaxy collection build)', built.code === 0, built.output);
    if (built.code !== 0) return;
    const archive = (await readdir(place)).find((name) => name.endsWith('.tar.gz'));
    const installed = join(place, 'installed');
    const install = ['collection', 'install', archive, '--collections-path', installed];
    const { code, output } = await ansible('ansible-galaxy', install);
    report('Collection (ansible-galaxy collection install)', code === 0, output);
    if (code === 0) await checkInventory({ place, ansible, installed, report });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function checkSanity({ home, programs, collection, env, report }) {
  const cache = join(home, '.ansible', 'test', 'cache');
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, pipScript.name), pipScript.text);
  const version = 'import sys; print("%d.%d" % sys.version_info[:2])';
  const python = await capture(join(programs, 'python'), ['-c', version]);
  const { code, output } = await capture(
    join(programs, 'ansible-test'),
    ['sanity', '--color', 'no', '--python', python.output],
    // Without this it would take the files from the Git of a checkout around it.
    { cwd: collection, env: { ...env, ANSIBLE_TEST_CONTENT_ROOT: collection } },
  );
  report(`Collection (ansible-test sanity, Python ${python.output})`, code === 0, output);
}

/** The inventory of the demo, by the full name of the plugin. */
async function checkInventory({ place, ansible, installed, report }) {
  const title = 'Collection (ansible-inventory of a service)';
  await build();
  const { url, user, password, output, stop } = await startDemo(place);
  try {
    if (!url || !user) {
      report(title, false, output);
      return;
    }
    const file = join(place, 'demo.muster.yml');
    await writeFile(file, `plugin: ${fullName}\nmode: http\nurl: ${url}\nkeyed_groups: [{key: site, prefix: at}]\n`);
    const listed = await ansible('ansible-inventory', ['-i', file, '--list'], {
      ANSIBLE_COLLECTIONS_PATH: installed,
      ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'True',
      SERVICE_API_USER: user,
      SERVICE_API_PASSWORD: password,
    });
    report(title, listed.code === 0 && hasAll(listed.output), listed.output.slice(0, 2000));
  } finally {
    await stop();
  }
}

function hasAll(text) {
  const inventory = JSON.parse(text);
  const hosts = Object.keys(inventory._meta.hostvars);
  const composed = Object.keys(inventory).filter((group) => group.startsWith('at_'));
  return hosts.length > 900 && composed.length > 1;
}
