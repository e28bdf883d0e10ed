import { maskedError, maskedLogger } from '../../kit/masking/masked.ts';
import { settingsMask } from '../../kit/masking/secret-mask.ts';
import { parseSecretReference, referenceShapeProblem } from '../../kit/options/secret-reference.ts';
import { type Said, worded } from '../../kit/worded.ts';
import {
  AppError,
  type Clock,
  type SecretSource,
  type SecretSourceServices,
  type SecretSourceType,
  type Wording,
} from '../../ports/index.ts';
import { guarded } from './plugin-host/guard.ts';
import type { PluginRegistry } from './plugin-host/registry.ts';

export interface SecretReferencesDeps {
  readonly plugins: PluginRegistry;
  readonly services: () => SecretSourceServices;
  readonly clock: Clock;
  /** How long a secret is remembered. */
  readonly rememberSeconds: number;
  readonly timeoutSeconds: number;
  /** The settings of a plugin, whose secrets are hidden in what it says. */
  settingsOf(pluginId: string): unknown;
}

interface Remembered {
  readonly until: number;
  readonly secret: Promise<string>;
}

/**
 * Secrets that are kept elsewhere and read on demand. Secrets are remembered for seconds, and failures not at all: if a source
 * cannot be reached, nothing continues with an old secret.
 */
export class SecretReferences {
  readonly #deps: SecretReferencesDeps;
  readonly #opened = new Map<SecretSourceType, SecretSource>();
  readonly #remembered = new Map<string, Remembered>();

  constructor(deps: SecretReferencesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns what is wrong with a reference, as far as its text and the loaded plugins show; `undefined` if it can be requested.
   */
  problem(text: string): Said | undefined {
    const shape = referenceShapeProblem(text);
    const reference = parseSecretReference(text);
    if (shape !== undefined || reference === undefined) return shape;
    const source = this.#deps.plugins.secretSource(reference.source)?.item;
    if (source === undefined) return this.#unknown(reference.source);
    const problem = source.problem?.(reference.name);
    return problem === undefined ? undefined : worded`${{ problem }}; it looks like ${{ example: source.example }}`;
  }

  /** The secret. Throws `AppError('failed')` that names the reference and never the secret. */
  async read(text: string): Promise<string> {
    const now = this.#deps.clock.now().getTime();
    const known = this.#remembered.get(text);
    if (known !== undefined && now < known.until) return known.secret;
    this.#forget(now);
    const secret = this.#read(text);
    this.#remembered.set(text, { secret, until: now + this.#deps.rememberSeconds * 1000 });
    secret.catch(() => {
      if (this.#remembered.get(text)?.secret === secret) this.#remembered.delete(text);
    });
    return secret;
  }

  /** Asks a source whether it can be used: what it says of itself. */
  async check(id: string): Promise<string> {
    const { type, source, call, mask } = this.#source(id);
    if (source.check === undefined) return type.title;
    try {
      return mask(await guarded(call(`checking ${id}`), (signal) => source.check?.({ signal }) ?? type.title));
    } catch (error) {
      throw maskedError(error, mask);
    }
  }

  async #read(text: string): Promise<string> {
    const reference = parseSecretReference(text);
    if (reference === undefined) throw failed(text, referenceShapeProblem(text) ?? 'is not a reference');
    const { source, call, mask } = this.#source(reference.source);
    try {
      const secret: unknown = await guarded(call(`reading ${text}`), (signal) =>
        source.read(reference.name, { signal }),
      );
      if (typeof secret !== 'string') throw new AppError('failed', 'the source answered no text');
      if (secret === '') throw new AppError('failed', 'the source has an empty secret there');
      return secret;
    } catch (error) {
      const hidden = maskedError(error, mask);
      throw failed(text, hidden.message, hidden);
    }
  }

  #source(id: string) {
    const { plugins, services, timeoutSeconds, settingsOf } = this.#deps;
    const registered = plugins.secretSource(id);
    if (registered === undefined) throw new AppError('failed', this.#unknown(id));
    const { item: type, pluginId } = registered;
    const mask = settingsMask(settingsOf(pluginId), plugins.secretSettings(pluginId));
    let source = this.#opened.get(type);
    if (source === undefined) {
      const given = services();
      source = type.open({ ...given, logger: maskedLogger(given.logger.child({ plugin: pluginId }), mask) });
      this.#opened.set(type, source);
    }
    return { type, source, mask, call: (what: string) => ({ pluginId, what, timeoutSeconds }) };
  }

  #unknown(id: string): Wording {
    const known = this.#deps.plugins.secretSources().map((source) => source.id);
    return worded`no plugin provides a source of secrets called ${{ name: id }}; there are ${{ known: known.join(', ') }}`;
  }

  #forget(now: number): void {
    for (const [text, { until }] of this.#remembered) if (until <= now) this.#remembered.delete(text);
  }
}

function failed(reference: string, reason: string, cause?: unknown): AppError {
  return new AppError('failed', worded`the secret ${{ reference }} cannot be read: ${{ reason }}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}
