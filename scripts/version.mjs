#!/usr/bin/env node
// Called by `npm version`: writes the version of package.json everywhere else where it stands. `npm run release` does so by itself.
import { currentVersion, setVersion, versionedFiles } from './release/versions.mjs';
import { capture, fail, SetupError } from './report.mjs';

async function main() {
  await setVersion(await currentVersion());
  const { code, output } = await capture('git', ['add', ...versionedFiles]);
  if (code !== 0) throw new SetupError(output);
}

main().catch(fail);
