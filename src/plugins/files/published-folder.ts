import { createHash } from 'node:crypto';
import { fileFault } from '../../kit/file-source/fault.ts';
import { worded } from '../../kit/worded.ts';
import {
  BEGINNING_CHARACTERS,
  type FileStage,
  type PublishedFiles,
  type StagedFile,
  type TargetFiles,
} from '../../ports/index.ts';

/** All texts together, which are held in memory. */
const MOST_CHARACTERS = 128 * 1024 * 1024;

export type Folder = Pick<TargetFiles, 'read' | 'size' | 'digest' | 'stage' | 'replace' | 'remove'>;

export interface PublishedFolder {
  readonly files: Folder;
  /** Publishes the written files and the removals. Until then, none of it is visible. */
  publish(): Promise<void>;
}

/**
 * Presents an account's published files as a folder, to write files into by name. Files that begin with a dot are hidden: the
 * target keeps its list of written files there.
 */
export async function publishedFolder(published: PublishedFiles, contentType: string): Promise<PublishedFolder> {
  const before = new Map((await published.list()).map((file) => [file.name, file]));
  const kept = new Set(before.keys());
  const written = new Map<string, string>();
  let isChanged = false;

  function write(path: string, text: string): void {
    written.set(path, text);
    kept.delete(path);
    isChanged = true;
  }

  return {
    files: {
      read: (path) => published.text(path),
      size: async (path) => before.get(path)?.size,
      digest: async (path) => before.get(path)?.digest,
      stage: (_folder, { dryRun }) => memoryStage(before, dryRun ? undefined : write),
      async replace(path, pieces, { dryRun }) {
        let text = '';
        for await (const piece of pieces) text += piece;
        if (!dryRun) write(path, text);
        return 'written';
      },
      async remove(path) {
        kept.delete(path);
        written.delete(path);
        isChanged = true;
      },
    },

    async publish() {
      if (!isChanged) return;
      await published.replace([
        ...[...kept].map((name) => ({ name, contentType })),
        ...[...written].map(([name, text]) => ({ name, contentType, text })),
      ]);
    },
  };
}

function memoryStage(
  before: ReadonlyMap<string, { readonly digest: string }>,
  /** Absent in a dry run. */
  write: ((name: string, text: string) => void) | undefined,
): FileStage {
  const texts = new Map<string, string>();
  let length = 0;
  const set = (path: string, text: string, added: number): void => {
    length += added;
    if (length > MOST_CHARACTERS) {
      throw fileFault(
        path,
        worded`and what else is published have more than ${{ millions: MOST_CHARACTERS / 1024 / 1024 }} million characters`,
      );
    }
    texts.set(path, text);
  };
  return {
    async append(path, text) {
      set(path, (texts.get(path) ?? '') + text, text.length);
    },
    async head(path, text) {
      set(path, text + (texts.get(path) ?? ''), text.length);
    },
    async *compare(): AsyncGenerator<StagedFile> {
      for (const [path, text] of texts) {
        const digest = createHash('sha256').update(text).digest('hex');
        const present = before.get(path)?.digest;
        const beginning = write === undefined ? { beginning: text.slice(0, BEGINNING_CHARACTERS) } : {};
        yield { path, digest, ...(present !== undefined && { present }), ...beginning };
      }
    },
    async *contents(path) {
      yield Buffer.from(texts.get(path) ?? '');
    },
    async commit(paths) {
      for (const path of paths) write?.(path, texts.get(path) ?? '');
    },
    async discard() {
      texts.clear();
    },
  };
}
