import { describe, expect, it } from 'vitest';
import type { SecretSource, SecretSourceType } from '../ports/index.ts';

export interface SecretSourceHarness {
  readonly type: SecretSourceType;
  /** Opens a source that has the secrets below. Called again for each test. */
  open(): Promise<{ readonly source: SecretSource; close(): Promise<void> }>;
  /** References, without the name of the source and its colon, and the secrets that they name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** References that name nothing there. */
  readonly absent: readonly string[];
  /** Texts that can name nothing, whatever the source has; none when it takes any. */
  readonly refused?: readonly string[];
  /** Gives the first of the secrets another value, as its owner would. */
  change(secret: string): Promise<void>;
  /** Texts that no message may hold: what the source logs in with. */
  readonly own?: readonly string[];
}

/** Tests the promises of a source of secrets. */
export function describeSecretSourceContract(name: string, harness: SecretSourceHarness): void {
  const { type, secrets, absent, refused = [], own = [] } = harness;
  const signal = (): AbortSignal => new AbortController().signal;

  async function opened<T>(work: (source: SecretSource) => Promise<T>): Promise<T> {
    const { source, close } = await harness.open();
    try {
      return await work(source);
    } finally {
      await close();
    }
  }

  describe(`${name} as a source of secrets`, () => {
    it('has an example that begins with its name', () => {
      expect(type.example.startsWith(`${type.id}:`)).toBe(true);
      expect(type.problem?.(type.example.slice(type.id.length + 1))).toBeUndefined();
    });

    it('answers each secret to the letter, several at once too', async () => {
      await opened(async (source) => {
        const read = await Promise.all(
          Object.keys(secrets).map(async (reference) => {
            expect(type.problem?.(reference), reference).toBeUndefined();
            return [reference, await source.read(reference, { signal: signal() })] as const;
          }),
        );
        expect(Object.fromEntries(read)).toEqual(secrets);
      });
    });

    it('keeps nothing: a secret that was changed is answered as it is now', async () => {
      const [reference = '', before] = Object.entries(secrets)[0] ?? [];
      await opened(async (source) => {
        await source.read(reference, { signal: signal() });
        await harness.change('a new secret');
        expect(await source.read(reference, { signal: signal() })).toBe('a new secret');
        await harness.change(before ?? '');
        expect(await source.read(reference, { signal: signal() })).toBe(before);
      });
    });

    it.each(absent)('throws for %j, which is not there, and tells no secret', async (reference) => {
      await opened(async (source) => {
        const error = await source.read(reference, { signal: signal() }).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(Error);
        const { message } = error as Error;
        for (const secret of [...Object.values(secrets), ...own]) expect(message).not.toContain(secret);
      });
    });

    it.each(refused)('refuses %j before it is stored, and throws when it is read nevertheless', async (reference) => {
      expect(type.problem?.(reference)).toEqual(expect.any(String));
      await opened((source) => expect(source.read(reference, { signal: signal() })).rejects.toThrow());
    });

    it('says what it is connected to, without a secret', async () => {
      await opened(async (source) => {
        const said = (await source.check?.({ signal: signal() })) ?? '';
        for (const secret of [...Object.values(secrets), ...own]) expect(said).not.toContain(secret);
      });
    });
  });
}
