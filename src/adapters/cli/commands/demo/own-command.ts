import { realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Whether a shell that looks up `name` starts this program: the first of that name on the path leads to its file. */
export async function isFoundAs(name: string, program: string, path: string | undefined): Promise<boolean> {
  for (const folder of (path ?? '').split(delimiter)) {
    const found = folder === '' ? undefined : await realpath(join(folder, name)).catch(() => undefined);
    if (found !== undefined) return found === (await realpath(program));
  }
  return false;
}
