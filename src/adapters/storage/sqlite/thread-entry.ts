import { existsSync } from 'node:fs';
import { AppError } from '../../../ports/index.ts';

/** The built file of a thread: next to the bundle, or in `dist` when this runs from the sources (the tests do). */
export function threadEntry(name: 'sqlite-writer' | 'sqlite-check'): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../../../dist' : '.';
  const entry = new URL(`${folder}/${name}.js`, import.meta.url);
  if (!existsSync(entry)) throw new AppError('failed', `dist/${name}.js is missing; run npm run build.`);
  return entry;
}
