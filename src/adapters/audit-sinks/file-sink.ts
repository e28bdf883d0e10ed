import { open } from 'node:fs/promises';
import { type AuditSink, forwardedText } from '../../ports/index.ts';

/** Appends lines of JSON to a file for other programs. They are on the disk when they count as sent. */
export function fileSink(path: string): AuditSink {
  return {
    name: `file:${path}`,
    async send(entries) {
      const handle = await open(path, 'a', 0o600);
      try {
        await handle.appendFile(entries.map((entry) => `${forwardedText(entry)}\n`).join(''));
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
  };
}
