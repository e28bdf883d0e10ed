#!/usr/bin/env node
// Called by `npm version`: gives what is published beside the package the same version.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capture, fail, root, SetupError } from './report.mjs';

const files = {
  'packaging/ansible-collection/galaxy.yml': ['version'],
  'packaging/helm/muster/Chart.yaml': ['version', 'appVersion'],
};

async function main() {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const [path, members] of Object.entries(files)) {
    let text = await readFile(join(root, path), 'utf8');
    for (const member of members) text = text.replace(new RegExp(`^${member}: .*$`, 'm'), `${member}: ${version}`);
    await writeFile(join(root, path), text);
  }
  const { code, output } = await capture('git', ['add', ...Object.keys(files)]);
  if (code !== 0) throw new SetupError(output);
}

main().catch(fail);
