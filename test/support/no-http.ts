import type { Http } from '../../src/ports/index.ts';

/** For what asks no other system. */
export const noHttp: Http = {
  client: () => {
    throw new Error('no other system is asked here');
  },
};
