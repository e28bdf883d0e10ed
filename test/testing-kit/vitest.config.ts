import { defineConfig } from 'vitest/config';

/** Runs the mutants alone; `mutants.test.ts` starts it. */
export default defineConfig({
  test: { include: ['test/testing-kit/mutants.fixture.ts'], testTimeout: 10_000 },
});
