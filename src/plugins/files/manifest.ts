import { createHash } from 'node:crypto';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';

/** A file that a run wrote, recorded so that the next run recognises its own files. */
export interface ManifestEntry {
  /** Digest of the content when the file was written. */
  readonly digest: string;
  /** Digest of the content that was about to be written, until the write is confirmed. */
  readonly next?: string;
  /** For a zone: its serial number, and the digest of everything else. */
  readonly serial?: number;
  readonly body?: string;
}

/** By the name of the file below the folder. */
export type Manifest = ReadonlyMap<string, ManifestEntry>;

const VERSION = 1;
/** Characters of the name of an account in the name of its note. */
const LONGEST = 150;

/** Programs that read all files of a folder pass over names that begin with a dot, or look at the ending. */
export function manifestName(account: string): string {
  const name = encodeURIComponent(account);
  if (name.length <= LONGEST) return `.muster-${name}.manifest`;
  // Names that differ only in the truncated part must remain distinct.
  const digest = createHash('sha256').update(account).digest('hex').slice(0, 16);
  return `.muster-${name.slice(0, LONGEST)}-${digest}.manifest`;
}

export function readManifest(text: string | undefined, path: string): Manifest {
  if (text === undefined) return new Map();
  const fault = (): AppError =>
    new AppError(
      'failed',
      worded`${{ path }} is damaged, so it is not known which files this account wrote; remove it, and set adopt=true of the account for one run to take the files over`,
    );
  try {
    const { version, files } = JSON.parse(text);
    if (version !== VERSION || typeof files !== 'object' || files === null) throw fault();
    return new Map(Object.entries(files as Record<string, ManifestEntry>));
  } catch {
    throw fault();
  }
}

/** One file a line, sorted. */
export function manifestText(account: string, manifest: Manifest): string {
  const lines = [...manifest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`);
  return `{"version":${VERSION},"account":${JSON.stringify(account)},"files":{\n${lines.join(',\n')}\n}}\n`;
}
