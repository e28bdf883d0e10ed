import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { AppError } from '../../ports/index.ts';
import { builtFile } from '../listener/built-files.ts';
import { chosenCoding } from '../listener/compression.ts';
import { codedTag, knownTags } from '../listener/entity-tags.ts';

/** Written by the build next to the program: the files of the site, which are in one folder. */
const manifestSchema = z.object({
  files: z.record(z.string(), z.object({ type: z.string(), tag: z.string(), compressed: z.boolean() })),
});

type SiteFiles = z.infer<typeof manifestSchema>['files'];

const FOLDER = join(import.meta.dirname, 'docs-site');
const INDEX = 'index.html';
const LOST = '404.html';

/** Only files of the site run or load, and nothing is sent anywhere. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  // Pages keep their names from version to version, so browsers ask whether they are still the same.
  'cache-control': 'no-cache',
  vary: 'Accept-Encoding',
};

/** Serves the documentation built by `npm run docs`; read on the first request. */
export function docsSite(folder: string = FOLDER) {
  let files: SiteFiles | undefined;

  /** Sends the first page for its address without a final slash, from which its links would lead one folder higher. */
  async function sendStart(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const contents = await builtFile(folder, INDEX, 'identity');
    if (contents === undefined) throw new AppError('not_found', 'the first page of the documentation does not exist');
    const html = contents.toString('utf8').replace(/(href|src)="(?![a-z]+:|[/#])/g, '$1="docs/');
    return reply.headers(HEADERS).header('content-type', 'text/html; charset=utf-8').send(html);
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    files ??= readManifest(folder);
    const { file: asked = INDEX } = request.params as { file?: string };
    const isThere = Object.hasOwn(files, asked) && asked !== LOST;
    // A page is for a browser; a client of the API gets an error as from every other address.
    if (!isThere && request.headers.accept?.includes('text/html') !== true) throw lostPage();
    const name = isThere ? asked : LOST;
    const file = files[name];
    const coding = file?.compressed === true ? chosenCoding(request.headers['accept-encoding']) : 'identity';
    const contents = file === undefined ? undefined : await builtFile(folder, name, coding);
    if (file === undefined || contents === undefined) {
      throw lostPage();
    }
    reply.headers(HEADERS).header('content-type', file.type);
    if (coding !== 'identity') reply.header('content-encoding', coding);
    if (!isThere) return reply.code(404).send(contents);
    const tag = `"${file.tag}"`;
    reply.header('etag', codedTag(tag, coding));
    if (knownTags(request.headers['if-none-match']).includes(tag)) return reply.code(304).send();
    return reply.send(contents);
  }

  return { send, sendStart, isBuilt: () => existsSync(join(folder, 'manifest.json')) };
}

function lostPage(): AppError {
  return new AppError('not_found', 'this page of the documentation does not exist; /docs lists all pages');
}

function readManifest(folder: string): SiteFiles {
  let text: string;
  try {
    text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  } catch (error) {
    throw new AppError(
      'not_found',
      'the documentation is not built into this program; run "npm run docs", or read the folder docs. /docs/openapi describes the REST interface',
      { cause: error },
    );
  }
  return manifestSchema.parse(JSON.parse(text)).files;
}
