import { describe, expect, it } from 'vitest';
import { EarlierHosts } from '../../../src/app/earlier-times/earlier-hosts.ts';
import type { ChangePlace, HostChange, KeptChange } from '../../../src/ports/index.ts';

const SINCE = new Date('2026-01-01T00:00:00Z');
const LIMITS = { members: 1_000, characters: 100_000 };

/** A history without an end, which counts what is read of it and how many changes are taken apart. */
class EndlessHistory {
  read = 0;
  characters = 0;
  opened = 0;
  readonly #size: number;
  readonly #pathOf: (index: number) => string;

  constructor(size: number, pathOf: (index: number) => string) {
    this.#size = size;
    this.#pathOf = pathOf;
  }

  async latest({ limit }: { limit: number; before?: ChangePlace }): Promise<readonly KeptChange[]> {
    const batch = Array.from({ length: limit }, () => this.#change(this.read++));
    this.characters += limit * this.#size;
    return batch;
  }

  #change(index: number): KeptChange {
    const path = this.#pathOf(index);
    const before = 'x'.repeat(this.#size / 2);
    const opened = (): HostChange['changes'] => {
      this.opened++;
      return [{ path, before, after: 1 }];
    };
    return {
      hostname: `host${index}`,
      at: new Date(SINCE.getTime() + 1e9 - index),
      kind: 'labels',
      actor: { kind: 'user', name: 'root' },
      characters: this.#size,
      get changes() {
        return opened();
      },
    } as unknown as KeptChange;
  }
}

const read = (history: EndlessHistory) => EarlierHosts.read(history, SINCE, new AbortController().signal, LIMITS);
const BATCH = 500;

describe('more changes than can be compared', () => {
  it.each([
    ['large', 10_000],
    ['of usual size', 400],
  ])('are refused before any of them is taken apart, where they are %s', async (_, size) => {
    const history = new EndlessHistory(size, (index) => `labels.l${index}`);
    await expect(read(history)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^since:/),
    });
    expect(history.opened).toBe(0);
    expect(history.characters).toBeLessThanOrEqual(2 * LIMITS.characters + BATCH * size);
  });

  it.each([
    ['each of another member', (index: number) => `labels.l${index}`],
    ['all of one member', () => 'labels.site'],
  ])('are refused by their number, where they are small and %s', async (_, pathOf) => {
    const history = new EndlessHistory(2, pathOf);
    await expect(read(history)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(history.read).toBeLessThanOrEqual(4 * LIMITS.members + BATCH);
    expect(history.opened).toBe(0);
  });
});
