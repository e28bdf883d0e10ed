import { join } from 'node:path';
import { definePlugin, z } from 'muster/plugin-api';

/** A target: a folder with one file for each host. Every `.json` file in it belongs to the target. */
export default definePlugin({
  id: 'hosts-folder',
  apiVersion: 2,
  description: 'Exports hosts into a folder, one file each.',
  register(host) {
    host.target({
      id: 'hosts-folder',
      title: 'Folder of hosts',
      description: 'One JSON file for each host.',
      options: z.strictObject({ folder: z.string().min(1).describe('A folder for nothing else') }),
      open: ({ folder }, _account, { files }) => ({
        write: (hosts, run) => writeHosts(folder, hosts, run, files),
        check: async () => `${folder} has files of ${(await filesOf(folder, files)).size} hosts.`,
      }),
    });
  },
});

async function writeHosts(folder, hosts, run, files) {
  const gone = await filesOf(folder, files);
  for await (const batch of hosts) {
    for (const host of batch) {
      const file = `${host.hostname}.json`;
      gone.delete(file);
      try {
        const outcome = await files.replace(join(folder, file), textOf(host), run);
        run[outcome](host);
      } catch (error) {
        run.failed(host, error.message);
      }
    }
  }
  // The loop has ended without an error, so this is everything: what else is there, an earlier run wrote. It may be of a host that
  // nobody could decide on.
  if (run.undecided() > 0) gone.clear();
  for (const file of gone) {
    run.signal.throwIfAborted();
    if (!run.dryRun) await files.remove(join(folder, file));
    run.progress();
  }
  return {};
}

async function* textOf({ variables, groups }) {
  yield `${JSON.stringify({ variables, groups })}\n`;
}

async function filesOf(folder, files) {
  return new Set((await files.list(folder)).filter((name) => name.endsWith('.json')));
}
