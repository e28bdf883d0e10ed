#!/usr/bin/env node
// `npm run release -- VERSION`: everything that a release needs on this machine. It publishes nothing and pushes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changelog, dateSection, releasedSection, unreleasedNotes } from './release/changelog.mjs';
import { collectionChangelog, releaseCollectionChangelog } from './release/collection.mjs';
import { makeFiles } from './release/files.mjs';
import {
  currentVersion,
  filesOfOtherVersions,
  isLater,
  isVersion,
  setVersion,
  versionedFiles,
} from './release/versions.mjs';
import { bold, capture, fail, note, root, SetupError, step } from './report.mjs';

const usage = `Usage: npm run release -- VERSION [--dry-run | --commit | --as-tagged] [--built]

Sets the version everywhere, dates the changelog and begins its next section, builds, and writes what is published to
release/VERSION: the package, the maps of its sources, the Helm chart, the Ansible collection, a bill of materials
(CycloneDX), the notes and SHA256SUMS. The same sources give the same bytes. Nothing is pushed or published.

  --dry-run     make the files, and leave version and changelog as they are
  --commit      commit what was changed, and tag it vVERSION
  --as-tagged   make the files of a version that is committed already, as the release workflow does
  --built       pack dist as it is, and do not build

  npm run release -- 0.2.0 --dry-run
  npm run release -- 0.2.0 --commit`;

const changed = [...versionedFiles, changelog, ...collectionChangelog];

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(
        ['dry-run', 'commit', 'as-tagged', 'built', 'help'].map((name) => [name, { type: 'boolean', default: false }]),
      ),
    });
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${usage}`);
  }
  const { values, positionals } = parsed;
  if (values.help) return values;
  const [version] = positionals;
  if (positionals.length !== 1) throw new SetupError(usage);
  if (!isVersion(version)) throw new SetupError(`"${version}" is no version; one is written like 0.2.0 or 0.2.0-rc.1.`);
  const modes = ['dry-run', 'commit', 'as-tagged'].filter((name) => values[name]);
  if (modes.length > 1) throw new SetupError(`Of --${modes.join(' and --')} only one can be meant.`);
  return { ...values, version };
}

async function git(...args) {
  const { code, output } = await capture('git', args);
  if (code !== 0) throw new SetupError(`git ${args.join(' ')} failed.\n\n${output}`);
  return output;
}

async function checkTree() {
  const status = await git('status', '--porcelain');
  if (status === '') return;
  throw new SetupError(`There are changes that are not committed; commit them or put them away first.\n\n${status}`);
}

async function checkNext(version) {
  const branch = await git('branch', '--show-current');
  if (branch !== 'main')
    throw new SetupError(`Releases are made of the branch main, and this is ${branch || 'no branch'}.`);
  await checkTree();
  const current = await currentVersion();
  if (isLater(current, version)) throw new SetupError(`${version} is older than ${current}, which package.json has.`);
  if ((await git('tag', '--list', `v${version}`)) !== '') throw new SetupError(`There is a tag v${version} already.`);
  return unreleasedNotes();
}

async function checkTagged(version) {
  await checkTree();
  const wrong = await filesOfOtherVersions(version);
  if (wrong.length > 0) throw new SetupError(`These hold another version than ${version}: ${wrong.join(', ')}`);
  return releasedSection(version);
}

const folderOf = (version) => join(root, 'release', version);

/** The day in UTC, or that of SOURCE_DATE_EPOCH. */
function today() {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  return new Date(epoch ? Number(epoch) * 1000 : Date.now()).toISOString().slice(0, 10);
}

/** Puts back what was committed. The tree was clean, so nothing of anybody else is lost. */
async function putBack() {
  const tracked = await trackedOf(changed);
  await git('restore', '--', ...tracked);
  await git('clean', '--force', '-d', '--quiet', '--', ...changed);
}

async function trackedOf(paths) {
  const tracked = [];
  for (const path of paths) if ((await git('ls-files', '--', path)) !== '') tracked.push(path);
  return tracked;
}

async function presentOf(paths) {
  const tracked = await trackedOf(paths);
  return paths.filter((path) => tracked.includes(path) || existsSync(join(root, path)));
}

async function makeNext({ version, built, 'dry-run': dryRun, commit }) {
  const notes = await checkNext(version);
  const day = today();
  try {
    await step(`Setting the version ${version}`, async () => {
      await setVersion(version);
      await dateSection(version, day);
      await releaseCollectionChangelog(version, day);
    });
    await makeFiles(folderOf(version), { version, day, notes, built });
  } catch (error) {
    await putBack();
    throw error;
  }
  if (dryRun) return putBack();
  if (!commit) return undefined;
  return step('Committing', async () => {
    await git('add', '--all', '--', ...(await presentOf(changed)));
    await git('commit', '--quiet', '--message', `Release ${version}`);
    await git('tag', '--annotate', `v${version}`, '--message', `Muster ${version}`);
  });
}

function nextSteps({ version, 'dry-run': dryRun, commit }) {
  if (dryRun) return [`Nothing else was changed. To make the release: npm run release -- ${version} --commit`];
  const push = [
    `git push origin main v${version}`,
    'The workflow of releases builds the tag, publishes it and adds provenance.',
  ];
  if (commit) return [`Look at it with git show, then:  ${push[0]}`, push[1]];
  const add = `git commit --all --message 'Release ${version}' && git tag --annotate v${version} --message 'Muster ${version}'`;
  return [`Look at it with git diff, then:  ${add}`, `and:  ${push[0]}`, push[1]];
}

async function main() {
  const options = readArguments();
  if (options.help) {
    console.log(usage);
    return;
  }
  const { version, built } = options;
  console.log(bold(`Release ${version}`));
  if (options['as-tagged']) {
    const { day, notes } = await checkTagged(version);
    await makeFiles(folderOf(version), { version, day, notes, built });
  } else {
    await makeNext(options);
  }
  note(`The files are in release/${version}; in there, "sha256sum --check SHA256SUMS" checks them.`);
  if (!options['as-tagged']) for (const line of nextSteps(options)) note(line);
}

main().catch(fail);
