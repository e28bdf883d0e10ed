import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, definePlugin, z } from 'muster/plugin-api';

/** A target: a folder with one file for each host. Every `.json` file in it belongs to the target. */
export default definePlugin({
  id: 'hosts-folder',
  apiVersion: 1,
  description: 'Exports hosts into a folder, one file each.',
  register(host) {
    host.target({
      id: 'hosts-folder',
      title: 'Folder of hosts',
      description: 'One JSON file for each host.',
      options: z.strictObject({ folder: z.string().min(1).describe('A folder for nothing else') }),
      open: ({ folder }) => ({
        write: (hosts, run) => writeHosts(folder, hosts, run),
        check: async () => `${folder} has files of ${(await filesOf(folder)).size} hosts.`,
      }),
    });
  },
});

async function writeHosts(folder, hosts, run) {
  const gone = await filesOf(folder);
  for await (const batch of hosts) {
    for (const host of batch) {
      const file = `${host.hostname}.json`;
      gone.delete(file);
      try {
        const path = join(folder, file);
        const text = `${JSON.stringify({ variables: host.variables, groups: host.groups })}\n`;
        if ((await readFile(path, 'utf8').catch(() => '')) === text) {
          run.unchanged(host);
        } else {
          if (!run.dryRun) await writeFile(path, text);
          run.written(host);
        }
      } catch (error) {
        run.failed(host, error.message);
      }
    }
  }
  // The loop has ended without an error, so this is everything: what else is there, an earlier run wrote.
  for (const file of gone) {
    run.signal.throwIfAborted();
    if (!run.dryRun) await rm(join(folder, file));
    run.progress();
  }
  return {};
}

async function filesOf(folder) {
  const names = await readdir(folder).catch((cause) => {
    throw new AppError('failed', `${folder} cannot be read; it must be a folder`, { cause });
  });
  return new Set(names.filter((name) => name.endsWith('.json')));
}
