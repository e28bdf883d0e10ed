import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { worded } from '../../kit/worded.ts';
import {
  AppError,
  type Clock,
  MAX_PUBLISHED,
  type PublishedContent,
  type PublishedFiles,
  type PublishedStore,
} from '../../ports/index.ts';
import { isShown } from './decisions/published-names.ts';

const zipped = promisify(gzip);

/** Returns the files that one account publishes, in the store shared by all nodes. */
export function publishedFiles(store: PublishedStore, accountId: string, clock: Clock): PublishedFiles {
  return {
    list: () => store.list(accountId),

    async text(name) {
      const file = await store.read(accountId, name);
      return file === undefined ? undefined : publishedText(file);
    },

    async replace(files) {
      const contents: PublishedContent[] = [];
      let size = 0;
      for (const { name, contentType, text } of files) {
        const content =
          text === undefined
            ? await store.read(accountId, name)
            : await contentOf(name, contentType, text, clock.now());
        if (content === undefined) continue;
        size += content.body.length + name.length;
        if (size > MAX_PUBLISHED) throw tooLarge();
        contents.push(content);
      }
      await store.replace(accountId, contents);
    },
  };
}

/** Returns a file that the exports of an account publish. Throws `not_found` if it does not exist or may not be shown. */
export async function requirePublished(
  store: PublishedStore,
  { id, account, name }: { readonly id: string; readonly account: string; readonly name: string },
): Promise<PublishedContent> {
  const file = isShown({ name }) ? await store.read(id, name) : undefined;
  if (file !== undefined) return file;
  throw new AppError(
    'not_found',
    worded`account ${{ account }} publishes no file ${{ name }}; "muster published list" shows those that it does`,
  );
}

/** The text piece by piece: what is small here may be large for its readers. */
export async function* publishedPieces({ body }: PublishedContent): AsyncGenerator<string> {
  const unzipped = createGunzip();
  unzipped.end(Buffer.from(body, 'base64'));
  yield* unzipped.setEncoding('utf8');
}

/** Returns the beginning of the text: at least `atLeast` characters, or all of it. */
export async function publishedText(file: PublishedContent, atLeast = Number.POSITIVE_INFINITY): Promise<string> {
  let text = '';
  for await (const piece of publishedPieces(file)) {
    text += piece;
    if (text.length >= atLeast) break;
  }
  return text;
}

async function contentOf(
  name: string,
  contentType: string,
  text: string,
  publishedAt: Date,
): Promise<PublishedContent> {
  const bytes = Buffer.from(text);
  const digest = createHash('sha256').update(bytes).digest('hex');
  const body = (await zipped(bytes)).toString('base64');
  return { name, contentType, digest, size: bytes.length, publishedAt, body };
}

function tooLarge(): AppError {
  return new AppError(
    'failed',
    `what the account publishes has more than ${MAX_PUBLISHED / 1_000_000} MB even when it is compressed; name fewer fields, or let it write into a folder`,
  );
}
