import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    // As many as there are processors: left alone, one of two would be kept free for nobody.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
