import type { PublishedFiles } from '../../src/ports/index.ts';

/** For what publishes nothing. */
export const nothingPublished: PublishedFiles = {
  list: async () => [],
  text: async () => undefined,
  replace: () => {
    throw new Error('nothing is published here');
  },
};
