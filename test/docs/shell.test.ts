import { afterAll, expect, test } from 'vitest';
import { blocksOf, PAGES } from './support/markdown.ts';
import { Walkthrough } from './support/walkthrough.ts';

/** Every shell block of every page is run as a reader would, with the built program; see `support/markdown.ts`. */

const walkthroughs: Walkthrough[] = [];
afterAll(() => Promise.all(walkthroughs.map((walkthrough) => walkthrough.close())));

/**
 * One runs the tests of new plugins one after another, which tests of the command do at once; the others run a dozen commands over what other
 * tests have, too: THOROUGH=1 follows them word by word.
 */
const LONG: readonly string[] = process.env.THOROUGH
  ? []
  : [
      'docs/admin.md',
      'docs/change-feed.md',
      'docs/command-line.md',
      'docs/cookbook.md',
      'docs/cron.md',
      'docs/first-hour.md',
      'docs/first-plugin.md',
      'docs/migration.md',
      'docs/netbox-ansible.md',
      'docs/netbox-target.md',
      'docs/netbox.md',
      'docs/operations.md',
      'docs/playbooks.md',
      'docs/plugins.md',
      'docs/rest-target.md',
      'docs/rest.md',
      'docs/rules-folder.md',
      'docs/search.md',
      'docs/security.md',
      'docs/targets.md',
      'docs/tool-server.md',
      'docs/troubleshooting.md',
    ];

const pages = PAGES.filter(
  (page) =>
    !LONG.includes(page) && blocksOf(page).some(({ language, purpose }) => language === 'sh' && purpose !== 'no-run'),
);

test('there are pages with commands', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/http-api.md', 'docs/rules.md', 'docs/sources.md']));
});

test.concurrent.each(pages)('the commands of %s do what it says', { timeout: 180_000 }, async (page) => {
  const walkthrough = await Walkthrough.open(page);
  walkthroughs.push(walkthrough);
  await walkthrough.run(page);
});
