import type { Target, TargetAccount, TargetServices } from '../../ports/index.ts';
import { makeShape } from './make-shape.ts';
import type { FilesOptions } from './options.ts';
import { publishedFolder } from './published-folder.ts';
import { filesTarget } from './target.ts';

/** Files that are written into a folder. What the account published before it did that is not read by anybody any more. */
export function unpublishing(target: Required<Target>, published: TargetServices['published']): Required<Target> {
  return {
    ...target,
    async write(hosts, run) {
      const result = await target.write(hosts, run);
      run.signal.throwIfAborted();
      if (!run.dryRun && (await published.list()).length > 0) await published.replace([]);
      return result;
    },
  };
}

/** Files that are published over HTTP instead of being written into a folder: all of a run at once, and those of a failed run never. */
export function publishingTarget(
  options: FilesOptions,
  account: Pick<TargetAccount, 'name'>,
  { published, templates }: Pick<TargetServices, 'published' | 'templates'>,
  today?: () => Date,
): Required<Target> {
  const { contentType } = makeShape(options, templates);
  // No other account publishes under this name.
  const own = { ...options, adopt: true };
  return {
    async write(hosts, run) {
      const folder = await publishedFolder(published, contentType);
      const result = await filesTarget(own, account, { files: folder.files, templates }, today).write(hosts, run);
      run.signal.throwIfAborted();
      if (!run.dryRun) await folder.publish();
      return result;
    },

    async check() {
      const shown = (await published.list()).filter(({ name }) => !name.startsWith('.'));
      const count = shown.length === 1 ? '1 file' : `${shown.length} files`;
      return `${count} published at /api/v1/published/${encodeURIComponent(account.name)}.`;
    },
  };
}
