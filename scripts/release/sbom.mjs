// The bill of materials in CycloneDX: what is installed with the package, and what is bundled into its files. npm knows the first alone:
// for it the libraries that are bundled are packages of development, like the tools that nobody gets.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { siteScript } from '../bundle.mjs';
import { bundledPackages } from '../bundled-packages.mjs';
import { root, SetupError } from '../report.mjs';
import { npm } from './npm.mjs';

/** `tarball` is the packed package, `day` that of its version: the same package has the same bill. */
export async function billOfMaterials({ tarball, day }) {
  const bill = JSON.parse(
    await npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'),
  );
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  const nameOf = (path) => `${lock[path].name ?? path.split('node_modules/').at(-1)}@${lock[path].version}`;
  const installed = new Set(
    Object.keys(lock)
      .filter((path) => path !== '' && !lock[path].dev)
      .map(nameOf),
  );
  const bundled = new Set((await readBundled()).map(nameOf));
  const own = bill.metadata.component;
  const isInside = (name) => name === own['bom-ref'] || installed.has(name) || bundled.has(name);
  const sum = createHash('sha256')
    .update(await readFile(tarball))
    .digest('hex');
  return {
    ...bill,
    serialNumber: `urn:uuid:${uuidOf(sum)}`,
    metadata: {
      ...bill.metadata,
      timestamp: `${day}T00:00:00Z`,
      lifecycles: [{ phase: 'build' }],
      component: { ...own, name: lock[''].name, scope: 'required', hashes: [{ alg: 'SHA-256', content: sum }] },
    },
    components: bill.components
      .filter((component) => isInside(component['bom-ref']))
      .map((component) => (installed.has(component['bom-ref']) ? component : asBundled(component))),
    dependencies: bill.dependencies
      .filter(({ ref }) => isInside(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isInside) })),
  };
}

function asBundled(component) {
  return { ...component, scope: 'required', properties: [{ name: 'muster:bundled', value: 'true' }] };
}

/** Where the packages that are bundled stand in the lock file: of program and pages as the build noted them, and of the documentation. */
async function readBundled() {
  const { packages } = JSON.parse(await readFile(join(root, 'dist', 'build.json'), 'utf8'));
  if (packages === undefined)
    throw new SetupError('dist was built by an older version of the build; run "npm run build".');
  const { build } = await import('esbuild');
  const { metafile } = await build({ ...siteScript, metafile: true });
  return [...packages, ...bundledPackages(metafile)];
}

/** A name of 128 bits for what has this sum, in the form of a UUID that says nothing of time and place. */
function uuidOf(sum) {
  return `${sum.slice(0, 8)}-${sum.slice(8, 12)}-8${sum.slice(13, 16)}-8${sum.slice(17, 20)}-${sum.slice(20, 32)}`;
}
