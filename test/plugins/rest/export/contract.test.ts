import { afterEach, beforeAll } from 'vitest';
import { describeObjectTargetContract } from '../../../../src/testing/object-target.contract.ts';
import { DeviceRegistry } from '../../../support/device-registry.ts';
import { openTarget, REGISTRY_OBJECTS, restTargetType } from './target-account.ts';

const started: DeviceRegistry[] = [];
let closed: string;

beforeAll(async () => {
  const gone = await new DeviceRegistry().start();
  closed = gone.url;
  await gone.stop();
});
afterEach(async () => {
  for (const registry of started.splice(0)) await registry.stop();
});

const open = (url: string) => openTarget({ url, objects: REGISTRY_OBJECTS });

describeObjectTargetContract('rest_target', {
  type: await restTargetType(),
  kinds: (await open('http://127.0.0.1:1')).kinds ?? [],
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
  broken: () => open(closed),
  variables: (variant) => ({ site: 'berlin', os: variant === 0 ? 'debian' : 'rocky', tags: ['a', 'b'], serial: 'x' }),
});
