import * as z from 'zod';
import { definePlugin, PLUGIN_API_VERSION } from '../../ports/index.ts';
import { accountOptions } from './options.ts';
import { targetAccountOptions } from './target/options.ts';

const settings = z.strictObject({
  presets: z.string().default('presets').describe('Folder with presets of your own'),
});

export default definePlugin({
  id: 'rest',
  apiVersion: PLUGIN_API_VERSION,
  description: 'Imports hosts from systems that answer JSON over HTTP, and keeps objects of such systems.',
  options: settings,
  register(host, { presets: folder }) {
    host.source({
      id: 'rest',
      title: 'JSON over HTTP',
      description: 'Any REST, GraphQL or JSON-RPC service: one host an object of a list, read page by page.',
      options: accountOptions,
      presets: {
        list: async () => (await import('./list-presets.ts')).sourcePresets(folder),
        starter: async (name) => (await import('./starter.ts')).starter(name),
      },
      open: (options, account, services) => ({
        async *read(context) {
          // Most commands read nothing.
          const { readRest } = await import('./read.ts');
          yield* readRest({ options, account, services, folder }, context);
        },
        async check(context) {
          const { checkRest } = await import('./check.ts');
          return checkRest({ options, account, services, folder }, context);
        },
      }),
    });
    host.target({
      id: 'rest_target',
      title: 'Objects over HTTP',
      description:
        'Objects of any REST or JSON-RPC service, kept as hosts want them: by requests that options or a preset say.',
      options: targetAccountOptions,
      kinds: 'by_account',
      takes: 'all',
      presets: {
        list: async () => (await import('./list-presets.ts')).targetPresets(folder),
        starter: async (name) => (await import('./target/starter.ts')).targetStarter(name),
      },
      async open(options, account, services) {
        const { openRestTarget } = await import('./target/open-target.ts');
        return openRestTarget({ options, account, services, folder });
      },
    });
  },
});
