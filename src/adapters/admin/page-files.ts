import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { AppError } from '../../ports/index.ts';
import { builtFile } from '../listener/built-files.ts';
import { chosenCoding } from '../listener/compression.ts';
import { MARK_ADDRESS } from './mark.ts';

/** Written by the build next to the program: the files that the pages need. */
const manifestSchema = z.object({
  /** Loaded by the page itself. */
  script: z.string(),
  style: z.string(),
  /** Files that the script needs before it runs. */
  parts: z.array(z.string()),
  /** Files that the script loads next for a logged-in user. */
  inside: z.array(z.string()),
  /** Further files of each room of pages; a room is named after the first part of its addresses. */
  rooms: z.record(z.string(), z.array(z.string())),
  /** Files with the texts of a language: of the login page, and of the pages behind it. */
  texts: z.record(z.string(), z.object({ first: z.string(), pages: z.string() })),
  /** All files with their media types. */
  files: z.record(z.string(), z.string()),
});

type Manifest = z.infer<typeof manifestSchema>;

interface AskedPage {
  /** The address below `/admin`; `undefined` for a request without a session, which gets the login page. */
  readonly address: string | undefined;
  /** The languages that the browser accepts. */
  readonly languages: string | undefined;
}

export interface AdminPages {
  /** The one page; its script draws the others. */
  sendPage(reply: FastifyReply, asked: AskedPage): FastifyReply;
  sendAsset(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

const FOLDER = join(import.meta.dirname, 'admin');

/** Serves the built pages below the path `prefix`; read on the first request. */
export function adminPages(prefix: string, folder: string = FOLDER): AdminPages {
  let manifest: Manifest | undefined;
  const loaded = (): Manifest => {
    manifest ??= readManifest(folder);
    return manifest;
  };
  return {
    sendPage(reply, asked) {
      const nonce = randomBytes(16).toString('base64');
      return reply
        .headers(pageHeaders(nonce))
        .header('content-type', 'text/html; charset=utf-8')
        .send(pageHtml(loaded(), { ...asked, nonce, prefix }));
    },
    async sendAsset(request, reply) {
      const { file } = request.params as { file: string };
      const mediaType = Object.hasOwn(loaded().files, file) ? loaded().files[file] : undefined;
      const coding = chosenCoding(request.headers['accept-encoding']);
      const contents = mediaType === undefined ? undefined : await builtFile(folder, file, coding);
      if (mediaType === undefined || contents === undefined) {
        throw new AppError('not_found', 'the file does not exist; reload the page, it may be from an older version');
      }
      reply
        .header('content-type', mediaType)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'Accept-Encoding');
      if (coding !== 'identity') reply.header('content-encoding', coding);
      return reply.send(contents);
    },
  };
}

function readManifest(folder: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  } catch (error) {
    throw new AppError('unavailable', 'the pages are not built; run "npm run build"', { cause: error });
  }
}

/**
 * Returns headers under which only our own files run or load; the nonce is for the style that the component library writes into
 * the page.
 */
function pageHeaders(nonce: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      // Pages of plugins, which have an origin of their own.
      "frame-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

interface PageParts extends AskedPage {
  readonly nonce: string;
  readonly prefix: string;
}

function pageHtml(manifest: Manifest, { nonce, prefix, ...asked }: PageParts): string {
  const { script, style } = manifest;
  const preloads = scriptsFor(manifest, asked)
    .map((part) => `<link rel="modulepreload" href="${prefix}/admin/assets/${part}">\n`)
    .join('');
  // Pages served below a path of the host must know that path.
  const below = prefix === '' ? '' : `<meta name="muster-prefix" content="${prefix}">\n`;
  return `<!doctype html>
<html lang="en" data-mantine-color-scheme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csp-nonce" content="${nonce}">
${below}<meta name="theme-color" content="#3d51ad">
<title>Muster</title>
<link rel="icon" href="${MARK_ADDRESS}">
<link rel="preload" as="fetch" crossorigin="anonymous" href="${prefix}/admin/api/session">
<link rel="stylesheet" href="${prefix}/admin/assets/${style}">
${preloads}<script type="module" src="${prefix}/admin/assets/${script}"></script>
</head>
<body><div id="root"></div><noscript>The admin interface of Muster needs JavaScript.</noscript></body>
</html>
`;
}

/** Lists the scripts of a page, so that a browser requests all of them at once. */
function scriptsFor({ parts, inside, rooms, texts }: Manifest, { address, languages = '' }: AskedPage): string[] {
  const language = languages.slice(0, 2).toLowerCase();
  const inLanguage = Object.hasOwn(texts, language) ? texts[language] : undefined;
  const first = inLanguage === undefined ? parts : [...parts, inLanguage.first];
  if (address === undefined) return [...first];
  const [, room = 'overview'] = /^\/([a-z]+)/.exec(address) ?? [];
  const ofRoom = Object.hasOwn(rooms, room) ? (rooms[room] ?? []) : [];
  return [...first, ...(inLanguage === undefined ? [] : [inLanguage.pages]), ...inside, ...ofRoom];
}
