import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The location of this program's own files: next to this module in the bundle, or else the sources. */
const PROGRAM = import.meta.url.endsWith('.ts')
  ? fileURLToPath(new URL('../../../', import.meta.url))
  : `${dirname(fileURLToPath(import.meta.url))}/`;

/** `file:///plugins/rack/index.js:12:5`, `/plugins/rack/index.js:12:5` or, if the text is not JavaScript, `…/index.js:12`. */
const PLACE = /(?:^|file:\/\/|\(|at )(\/[^()]+?):(\d+)(?::\d+)?(?=\)?$)/gm;

interface ErrorPlace {
  readonly path: string;
  readonly line: number;
}

/**
 * Returns the file and line of a plugin that an error comes from; `undefined` if the program itself threw it, or if they are
 * unknown.
 */
export function placeOf(error: unknown): ErrorPlace | undefined {
  const [first] = placesOf(error);
  return first?.path.startsWith(PROGRAM) ? undefined : first;
}

/** The files that an error went through, the innermost first; those of the program are left out. */
export function pathsOf(error: unknown): readonly string[] {
  return placesOf(error).flatMap(({ path }) => (path.startsWith(PROGRAM) ? [] : [path]));
}

/** Returns the place to append to a message: ` (index.js:12)`. Empty if there is no such place. */
export function placeText(error: unknown): string {
  const place = placeOf(error);
  return place === undefined ? '' : ` (${basename(place.path)}:${place.line})`;
}

function placesOf(error: unknown): readonly ErrorPlace[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  return [...error.stack.matchAll(PLACE)].map(([, path = '', line = '']) => ({
    path: path.includes('%') ? asPath(path) : path,
    line: Number(line),
  }));
}

function asPath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
