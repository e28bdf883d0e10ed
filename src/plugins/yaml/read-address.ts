import { hostOf } from '../../kit/file-source/each-file.ts';
import { fileFault } from '../../kit/file-source/fault.ts';
import { httpClientOf } from '../../kit/http-account/client.ts';
import { withBeats } from '../../kit/records/heartbeat.ts';
import { RecordMaker } from '../../kit/records/record-maker.ts';
import { FileLists } from '../../kit/records/whole-list.ts';
import { phrase, worded } from '../../kit/worded.ts';
import type { HttpDocument, ReadContext, SourceAccount, SourceItem, SourceServices } from '../../ports/index.ts';
import { yamlBatches } from './batches.ts';
import { HTTP_PART, type YamlOptions } from './options.ts';

/** An account whose document is at an address. */
export interface YamlAddress {
  readonly options: YamlOptions;
  readonly account: SourceAccount;
  readonly services: SourceServices;
}

/** Reads the document at the address of an account. Nothing of it is given before all of it has proved to be valid. */
export async function* readAddress(
  address: YamlAddress,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  // Servers may take their time, and are tried again.
  for await (const items of withBeats(itemsOf(address, context))) {
    yield context.inventorizes === true ? items : items.map(withPart);
  }
}

async function* itemsOf(
  { options, account, services }: YamlAddress,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const maker = await RecordMaker.of(options);
  const client = await httpClientOf(options, account, services, context);
  try {
    const answer = await client.text(
      asksForAccept(options) ? {} : { headers: { accept: 'application/yaml, text/yaml, text/plain;q=0.9, */*;q=0.8' } },
      context,
    );
    const text = answer.value ?? '';
    const { origin, pathname } = new URL(answer.url);
    const place = `${origin}${pathname}`;
    if (/^\s*</.test(text)) {
      throw fileFault(place, worded`is a web page instead of YAML: the address may be wrong, or a login is in between`);
    }
    context.progress(text.length, text.length);
    const lists = new FileLists();
    yield* yamlBatches({ place, host: hostOf(pathname), text, head: answer, lists }, { options, maker }, context);
    yield [...lists.missing()].map(({ gap }) => gap);
    if (!tellsItsEnd(answer)) yield [NO_END];
    const leftOut = maker.leftOut();
    if (leftOut.length > 0) yield leftOut;
  } finally {
    await client.close();
  }
}

function asksForAccept({ custom_headers = '', request_headers = '' }: YamlOptions): boolean {
  return /(?:^|[\n|{,'"\s])accept['"]?\s*:/i.test(`${custom_headers}\n${request_headers}`);
}

/** Half of a YAML document is a document too, so that only the server knows where it ends. */
function tellsItsEnd({ headers }: HttpDocument<string>): boolean {
  return headers['content-length'] !== undefined || /\bchunked\b/i.test(headers['transfer-encoding'] ?? '');
}

const NO_END: SourceItem = {
  kind: 'gap',
  what: phrase`what may follow the end of the answer`,
  reason: phrase`the server gives neither the length of the answer nor its end (no Content-Length), so that a truncated answer looks complete; configure it to send one`,
};

function withPart(item: SourceItem): SourceItem {
  return item.kind === 'record' ? { ...item, part: HTTP_PART.id } : item;
}

/** Asks for the document, and says where it is and as whom it was asked for. */
export async function checkAddress(
  { options, account, services }: YamlAddress,
  context: { readonly signal: AbortSignal },
): Promise<string> {
  const client = await httpClientOf(options, account, services, context);
  try {
    const answer = await client.request({}, context);
    answer.discard();
    const { origin, pathname } = new URL(answer.url);
    const who = account.username === '' || options.auth === 'none' ? '' : ` as ${account.username}`;
    return `${origin}${pathname}${who}`;
  } finally {
    await client.close();
  }
}
