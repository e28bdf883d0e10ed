import type { TargetHost } from '../../ports/target.ts';
import type { JsonFileOptions } from './options.ts';

/** Text before the first host, between two, and after the last one. */
interface Frame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

const FRAMES: Readonly<Record<JsonFileOptions['format'], Frame>> = {
  jsonl: { open: '', separator: '', close: '' },
  json: { open: '[\n', separator: ',\n', close: '\n]\n' },
};
const EMPTY_LIST = '[]\n';

/** The content of the file, a piece for each batch. The same hosts always make the same text. */
export async function* fileText(
  hosts: AsyncIterable<readonly TargetHost[]>,
  format: JsonFileOptions['format'],
): AsyncGenerator<string> {
  const frame = FRAMES[format];
  const lineEnd = format === 'jsonl' ? '\n' : '';
  let before = frame.open;
  for await (const batch of hosts) {
    let text = '';
    for (const host of batch) {
      text += before + hostText(host) + lineEnd;
      before = frame.separator;
    }
    yield text;
  }
  if (format === 'json' && before === frame.open) yield EMPTY_LIST;
  else yield frame.close;
}

/** Expressions are separate from the variables, so that a reader knows what may be evaluated. */
function hostText({ hostname, variables, expressions, groups }: TargetHost): string {
  const marked = expressions === undefined ? '' : `,"expressions":${JSON.stringify(expressions)}`;
  return `{"hostname":${JSON.stringify(hostname)},"variables":${variables.text}${marked},"groups":${JSON.stringify(groups)}}`;
}
