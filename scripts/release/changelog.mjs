// CHANGELOG.md: a section a version, the newest first. The first one is of what is not released yet.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, SetupError } from '../report.mjs';

export const changelog = 'CHANGELOG.md';

const unreleased = 'not released yet';
const path = join(root, changelog);

/** What stands before the sections, and the sections: `{ title, note, body }` of `## title (note)`. */
async function readChangelog() {
  const [head, ...sections] = (await readFile(path, 'utf8')).split(/^(?=## )/m);
  const parts = sections.map((text) => {
    const [, title, note] = /^## (.+?) \((.+)\)$/m.exec(text) ?? [];
    return { title, note, body: text.replace(/^.*\n/, '').trim() };
  });
  return { head, sections: parts };
}

/** What the next version brings; refuses a changelog that does not tell. */
export async function unreleasedNotes() {
  const { sections } = await readChangelog();
  const [first] = sections;
  if (first?.note !== unreleased) {
    throw new SetupError(
      `${changelog} does not begin with a section "## … (${unreleased})"; add one that tells what is new.`,
    );
  }
  if (first.body === '')
    throw new SetupError(`The first section of ${changelog} is empty; write what is new in this version.`);
  return first.body;
}

/** The day of a version that was released, and what it brought. */
export async function releasedSection(version) {
  const { sections } = await readChangelog();
  const found = sections.find(({ title }) => title === version);
  if (found === undefined || !/^\d{4}-\d\d-\d\d$/.test(found.note)) {
    throw new SetupError(
      `${changelog} has no section "## ${version} (YYYY-MM-DD)", so ${version} was not made by "npm run release".`,
    );
  }
  return { day: found.note, notes: found.body };
}

/** Gives the first section its version and day, and begins the next one. */
export async function dateSection(version, day) {
  const { head } = await readChangelog();
  const text = await readFile(path, 'utf8');
  const rest = text.slice(head.length).replace(/^.*\n/, '');
  await writeFile(path, `${head}## Next version (${unreleased})\n\n## ${version} (${day})\n${rest}`);
}
