import * as z from 'zod';
import { bytesOf } from '../../hosts/decisions/host-size.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { documentProblems } from '../../rules/engine/document-problems.ts';
import { isHostType } from '../../rules/transfer/host-type.ts';

const BATCH_SIZE = 500;
const MOST_NAMED = 5;

/** On a thread: what people wrote is compiled. */
export const listOversized = defineOperation({
  name: 'system/list-oversized',
  title: 'What is stored beyond limits',
  description:
    'Hosts and documents that came before a limit or check of today, and that nobody could save again as they are.',
  effect: 'read',
  roles: ['admin'],
  weight: 'preview',
  at: {},
  input: z.object({}),
  output: z.object({
    count: z.number().int(),
    names: z.array(z.string()).describe('The first of them, with their type'),
  }),
  async run(_, { services: { storage, plugins, config }, signal }) {
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
    for (const [id] of await storage.rules.counts()) {
      const type = plugins.ruleType(id);
      if (type === undefined || isHostType(type)) continue;
      for await (const records of storage.rules.scan(id, BATCH_SIZE)) {
        signal.throwIfAborted();
        for (const { name, document } of records) {
          if (documentProblems(document.value, type, plugins).length > 0) found(`${id} ${name}`);
        }
      }
    }
    return { count, names };
  },
});
