import { fileFault } from '../../kit/file-source/fault.ts';
import { readText } from '../../kit/file-source/read-text.ts';
import { worded } from '../../kit/worded.ts';
import type { ReadContext, SourceFiles } from '../../ports/index.ts';
import type { AnsibleOptions } from './options.ts';
import { MOST_BYTES } from './run.ts';

/** What somebody let ansible-inventory write into a file. */
export async function savedOutput(
  { path }: Pick<AnsibleOptions, 'path'>,
  files: SourceFiles,
  context: ReadContext,
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of readText({ path, encoding: 'utf-8' }, files, context)) {
    length += part.length;
    if (length > MOST_BYTES)
      throw fileFault(path, worded`has more than ${{ millions: MOST_BYTES / 1024 / 1024 }} million characters`);
    parts.push(part);
  }
  return parts.join('');
}
