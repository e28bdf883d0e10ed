import * as z from 'zod';
import { bytesOf } from '../../hosts/decisions/host-size.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { documentProblems } from '../../rules/engine/document-problems.ts';
import { isHostType } from '../../rules/rule-type-input.ts';

const BATCH_SIZE = 500;
const MOST_NAMED = 5;

/** On a thread: what people wrote is compiled. */
export const listOversized = defineOperation({
  name: 'system/list-oversized',
  title: 'Data stored beyond limits',
  description:
    'Hosts and documents stored before a limit or check of today, which could not be saved again as they are.',
  effect: 'read',
  roles: ['admin'],
  weight: 'preview',
  at: {},
  input: z.object({}),
  output: z.object({
    count: z.number().int(),
    names: z.array(z.string()).describe('The first of them, with their type'),
  }),
  async run(_, { services: { storage, plugins, config, evaluators }, signal }) {
    // Rules that cannot run do not go on as they are: doctor and inventories refuse them by name.
    const broken = new Set((await evaluators.broken()).map(({ type, id }) => `${type} ${id}`));
    const names: string[] = [];
    let count = 0;
    const found = (name: string): void => {
      count++;
      if (names.length < MOST_NAMED) names.push(name);
    };
    for await (const hosts of storage.hosts.scan({ scope: null, kind: 'all', state: 'any' }, BATCH_SIZE)) {
      signal.throwIfAborted();
      for (const { hostname, labels, inventory } of hosts) {
        if (bytesOf(labels.text) + bytesOf(inventory.text) > config.MAX_HOST_BYTES) found(`host ${hostname}`);
      }
    }
    for (const [ident] of await storage.rules.counts()) {
      const type = plugins.ruleType(ident);
      if (type === undefined || isHostType(type)) continue;
      for await (const records of storage.rules.scan(ident, BATCH_SIZE)) {
        signal.throwIfAborted();
        for (const { id, name, document } of records) {
          if (broken.has(`${ident} ${id}`)) continue;
          if (documentProblems(document.value, type, plugins).length > 0) found(`${ident} ${name}`);
        }
      }
    }
    return { count, names };
  },
});
