import type { SourcePrograms } from '../../src/ports/index.ts';

/** For what runs no program. */
export const noPrograms: SourcePrograms = {
  run: () => {
    throw new Error('no program is run here');
  },
};
