// What nobody uses: files, exports and packages. `npm run lint` and `npm test` run it.
import { entries, pagesOptions } from './scripts/bundle.mjs';

export default {
  // With `!`: part of the program itself, which is what `npx knip --production` looks at.
  entry: [
    ...[...Object.values(entries), ...Object.values(pagesOptions.entryPoints)].map((path) => `${path}!`),
    // Imported by the lists that scripts/catalogue.mjs generates.
    'src/app/**/operations/*.ts!',
    // Bundled by bench/support/build.mjs.
    'bench/support/{main,side,server-process}.ts',
    'bench/support/usage.cjs',
    'bench/floors/*.ts',
    // Bundled by test/servers/run.mjs.
    'test/servers/command.ts',
    // Loaded before the program by scripts/same/answers.mjs.
    'scripts/same/fixed.mjs',
    // Put into the pages by scripts/dev.mjs.
    'scripts/dev-reload.mjs',
    // Run by mutants.test.ts.
    'test/testing-kit/{mutants.fixture,vitest.config}.ts',
    // Loaded by name, as plugins of the configuration.
    'test/fixtures/plugins/*.mjs',
    // What marked texts of pages are looked up in by unit tests: see vitest.config.ts.
    'test/support/english.ts',
    // Bundled by scripts/build-docs.mjs.
    'scripts/docs-site/site.mjs',
    // Stand-ins on the PATH of documentation tests.
    'test/docs/support/{curl,npm}.mjs',
  ],
  project: ['src/**/*.{ts,tsx}!', '{test,e2e,bench}/**/*.{ts,mjs,cjs}', 'scripts/**/*.mjs'],
  playwright: { config: 'e2e/playwright.config.ts', entry: 'e2e/**/*.spec.ts' },
  // Programs of the machine, not of packages.
  ignoreBinaries: ['mkfifo', 'openssl'],
};
