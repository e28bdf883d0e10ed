import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedRenderings } from '../../../src/app/inventory/shared-renderings.ts';

const NEVER = new AbortController().signal;

class Source {
  readonly chunks: readonly string[];
  readonly fails: boolean;
  made = 0;
  aborted = false;
  ended = false;

  constructor(count: number, { fails = false } = {}) {
    this.chunks = Array.from({ length: count }, (_, index) => `${index}é`.padEnd(1000, 'x'));
    this.fails = fails;
  }

  get text(): string {
    return this.chunks.join('');
  }

  get given() {
    return {
      body: this.#body(),
      abort: () => {
        this.aborted = true;
      },
    };
  }

  async *#body(): AsyncGenerator<string> {
    try {
      for (const chunk of this.chunks) {
        await later(0);
        this.made++;
        yield chunk;
      }
      if (this.fails) throw new Error('the provider failed');
    } finally {
      this.ended = true;
    }
  }
}

async function textOf(body: AsyncIterable<string>, pause?: () => Promise<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    await pause?.();
  }
  return text;
}

test('ten who ask at the same time are given one rendering, each the whole of it', async () => {
  const renderings = new SharedRenderings();
  const sources = Array.from({ length: 10 }, () => new Source(50));
  const texts = await Promise.all(
    sources.map(async (source, index) => {
      await later(index * 2);
      return textOf(renderings.read('one', source.given, NEVER));
    }),
  );
  expect(new Set(texts)).toEqual(new Set([sources[0]?.text]));
  expect(sources.map(({ made }) => made)).toEqual([50, ...Array.from({ length: 9 }, () => 0)]);
  expect(renderings.held).toBe(0);
});

test('another key, or the same after the last has read it, is another rendering', async () => {
  const renderings = new SharedRenderings();
  const sources = [new Source(5), new Source(5), new Source(5)];
  await Promise.all([
    textOf(renderings.read('one', sources[0]!.given, NEVER)),
    textOf(renderings.read('two', sources[1]!.given, NEVER)),
  ]);
  await textOf(renderings.read('one', sources[2]!.given, NEVER));
  expect(sources.map(({ made }) => made)).toEqual([5, 5, 5]);
});

test('who began it and goes away takes it from nobody else', async () => {
  const renderings = new SharedRenderings();
  const source = new Source(20);
  const first = renderings.read('one', source.given, NEVER);
  await first.next();
  const second = textOf(renderings.read('one', new Source(20).given, NEVER));
  await later(5);
  await first.return(undefined);
  expect(await second).toBe(source.text);
  expect(source.made).toBe(20);
});

test('when the last goes away the rendering is ended, and nothing of it is kept', async () => {
  const renderings = new SharedRenderings();
  const source = new Source(20);
  const reader = renderings.read('one', source.given, NEVER);
  await reader.next();
  await reader.return(undefined);
  await later(5);
  expect(source).toMatchObject({ aborted: true, ended: true });
  expect(renderings.held).toBe(0);
});

test('one whose call is broken off does not wait for the next piece', async () => {
  const renderings = new SharedRenderings();
  const controller = new AbortController();
  const hanging = { body: hang(), abort: () => undefined };
  const reading = textOf(renderings.read('one', hanging, controller.signal));
  await later(1);
  controller.abort(new Error('the caller went away'));
  await expect(reading).rejects.toThrow('the caller went away');
});

async function* hang(): AsyncGenerator<string> {
  yield 'begun';
  await new Promise(() => undefined);
}

test('a rendering that fails fails for all who read it, and is not given to the next', async () => {
  const renderings = new SharedRenderings();
  const failing = (): Promise<string> => textOf(renderings.read('one', new Source(3, { fails: true }).given, NEVER));
  expect((await Promise.allSettled([failing(), failing()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  const source = new Source(3);
  expect(await textOf(renderings.read('one', source.given, NEVER))).toBe(source.text);
});

test('a slow reader is given the same text, and the fast one does not wait for him while there is room', async () => {
  const renderings = new SharedRenderings({ joinCharacters: 5_000 });
  const source = new Source(100);
  const order: string[] = [];
  const slow = textOf(renderings.read('one', source.given, NEVER), () => later(3)).then((text) => {
    order.push('slow');
    return text;
  });
  const fast = textOf(renderings.read('one', new Source(100).given, NEVER)).then((text) => {
    order.push('fast');
    return text;
  });
  expect(await Promise.all([slow, fast])).toEqual([source.text, source.text]);
  expect(order).toEqual(['fast', 'slow']);
  expect(renderings.held).toBe(0);
});

test('what is kept for slow readers is bounded: beyond it the fastest waits', async () => {
  const renderings = new SharedRenderings({ joinCharacters: 2_000, maxHeld: 3_000 });
  const source = new Source(300);
  const slow = renderings.read('one', source.given, NEVER);
  await slow.next();
  const fast = textOf(renderings.read('one', new Source(300).given, NEVER));
  await later(200);
  expect(source.made).toBeLessThan(300);
  expect(renderings.held).toBeLessThan(5_000);
  const rest = textOf(slow);
  expect(await fast).toBe(source.text);
  expect(`${source.chunks[0]}${await rest}`).toBe(source.text);
});

test('a rendering whose readers are behind goes on when another one gives room back', async () => {
  const renderings = new SharedRenderings({ joinCharacters: 20_000, maxHeld: 10_000 });
  const other = renderings.read('other', new Source(300).given, NEVER);
  await other.next();
  void renderings.read('other', new Source(300).given, NEVER).next();
  const source = new Source(30);
  const slow = renderings.read('one', source.given, NEVER);
  await slow.next();
  const fast = textOf(renderings.read('one', new Source(30).given, NEVER));
  await later(100);
  await other.return(undefined);
  await slow.return(undefined);
  expect(await fast).toBe(source.text);
});

test('who comes when the beginning is gone is given a rendering of his own', async () => {
  const renderings = new SharedRenderings({ joinCharacters: 2_000 });
  const first = new Source(20);
  const reader = renderings.read('one', first.given, NEVER);
  for (let step = 0; step < 10; step++) await reader.next();
  const second = new Source(20);
  expect(await textOf(renderings.read('one', second.given, NEVER))).toBe(second.text);
  expect(second.made).toBe(20);
  await reader.return(undefined);
});
