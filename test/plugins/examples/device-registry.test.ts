import { afterEach, beforeAll } from 'vitest';
import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { lazyHttp } from '../../../src/main/http.ts';
import type { ObjectTarget } from '../../../src/ports/index.ts';
import { describeObjectTargetContract } from '../../../src/testing/object-target.contract.ts';
import { silent } from '../../app/import/support.ts';
import { DeviceRegistry } from '../../support/device-registry.ts';
import { sourceFiles, targetFiles } from '../../support/files.ts';
import { nothingPublished } from '../../support/published.ts';
import { exampleObjectTarget } from './example-plugin.ts';

const type = await exampleObjectTarget('device-registry');
const http = lazyHttp({ now: () => new Date() });
const started: DeviceRegistry[] = [];
let closed: string;

function open(url: string): ObjectTarget | Promise<ObjectTarget> {
  const account = { name: 'there', address: '', username: '', password: 'sesame' };
  return type.open(type.options.parse({ url }), account, {
    logger: silent,
    files: targetFiles,
    sourceFiles,
    published: nothingPublished,
    templates: textTemplates,
    http,
  });
}

beforeAll(async () => {
  const gone = await new DeviceRegistry().start();
  closed = gone.url;
  await gone.stop();
});
afterEach(async () => {
  for (const registry of started.splice(0)) await registry.stop();
});

/** What the documentation offers as a model must keep what a target promises. */
describeObjectTargetContract('the example device-registry', {
  type,
  async create() {
    const registry = await new DeviceRegistry().start();
    started.push(registry);
    registry.pageSize = 2;
    return {
      open: () => open(registry.url),
      async putForeign(kind, key) {
        registry.put(`${kind}s` as 'devices', { name: key, owner: 'somebody' });
      },
    };
  },
  broken: async () => open(closed),
  variables: (variant) => ({ site: 'berlin', os: variant === 0 ? 'debian' : 'rocky', tags: ['a', 'b'], serial: 'x' }),
});
