import { describe, expect, it } from 'vitest';
import type { PublishedContent, PublishedFile, Storage } from '../ports/index.ts';
import { blue, minute, red } from './samples.ts';

function file(name: string, more: Partial<PublishedContent> = {}): PublishedContent {
  const plain = { contentType: 'application/json', digest: 'd1', size: 2, publishedAt: minute(1), body: 'W10=' };
  return { name, ...plain, ...more };
}

function listed({ body: _, ...rest }: PublishedContent): PublishedFile {
  return rest;
}

export function describePublishedStoreContract(fresh: () => Storage): void {
  describe('PublishedStore', () => {
    it('keeps the files of each account, and lists them by name', async () => {
      const { published } = fresh();
      const names = ['b', 'a/b.json', '$x.y', '\uffff', '\u{10ffff}'];
      await published.replace(
        red.id,
        names.map((name) => file(name, { body: `body of ${name}` })),
      );
      await published.replace(blue.id, [file('b', { size: 7 })]);
      const order = ['$x.y', 'a/b.json', 'b', '\uffff', '\u{10ffff}'];
      expect(await published.list(red.id)).toEqual(order.map((name) => listed(file(name))));
      for (const name of names) {
        expect(await published.read(red.id, name)).toEqual(file(name, { body: `body of ${name}` }));
      }
      expect(await published.read(blue.id, 'b')).toEqual(file('b', { size: 7 }));
    });

    it('has no files of accounts and names that nobody published', async () => {
      const { published } = fresh();
      await published.replace(red.id, [file('a')]);
      expect(await published.list(blue.id)).toEqual([]);
      expect(await published.read(blue.id, 'a')).toBeUndefined();
      expect(await published.read(red.id, 'A')).toBeUndefined();
    });

    it('replaces all files at once', async () => {
      const { published } = fresh();
      await published.replace(red.id, [file('a'), file('b')]);
      await published.replace(red.id, [file('b', { digest: 'd2' }), file('c')]);
      expect((await published.list(red.id)).map(({ name, digest }) => [name, digest])).toEqual([
        ['b', 'd2'],
        ['c', 'd1'],
      ]);
      expect(await published.read(red.id, 'a')).toBeUndefined();
      await published.replace(red.id, []);
      expect(await published.list(red.id)).toEqual([]);
    });

    it('never shows half of what is replaced to those who read meanwhile', async () => {
      const { published } = fresh();
      const set = (digest: string): PublishedContent[] => ['a', 'b', 'c'].map((name) => file(name, { digest }));
      await published.replace(red.id, set('0'));
      const writing = (async () => {
        for (let turn = 1; turn <= 20; turn++) await published.replace(red.id, set(String(turn)));
      })();
      let done = false;
      const watched = writing.finally(() => {
        done = true;
      });
      while (!done) {
        const files = await published.list(red.id);
        expect(files.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
        expect(new Set(files.map(({ digest }) => digest)).size).toBe(1);
        await new Promise(setImmediate);
      }
      await watched;
    });

    it('holds as much as it says', async () => {
      const { published } = fresh();
      const body = 'x'.repeat(11_900_000);
      await published.replace(red.id, [file('large', { body })]);
      expect((await published.read(red.id, 'large'))?.body.length).toBe(body.length);
    });
  });
}
