import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tests run the built program, so it is built before them when it is out of date. */
export default function buildProgram(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
