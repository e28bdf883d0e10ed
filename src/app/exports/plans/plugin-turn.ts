import { counted } from '../../../kit/words/amounts.ts';
import { AppError, type RemoteReading } from '../../../ports/index.ts';
import { pluginError } from '../../kernel/plugin-host/guard.ts';
import { IdleWatch } from '../idle-watch.ts';

export interface TurnSettings {
  readonly pluginId: string;
  /** The requested action, for messages. */
  readonly what: string;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Hides secrets in what the plugin says. */
  mask(text: string): string;
  onNote?(note: string): void;
}

/**
 * Several calls into a plugin that belong together. While it is the plugin's turn it may be silent for a time only; work that takes longer
 * says `progress`. What breaks off aborts the signal that the plugin has, and fails every further call.
 */
export class PluginTurn {
  readonly context: RemoteReading;
  readonly #settings: TurnSettings;
  readonly #controller = new AbortController();
  readonly #watch: IdleWatch;
  readonly #stop = (): void =>
    this.#controller.abort(new AppError('cancelled', `${this.#settings.what} was cancelled`));

  constructor(settings: TurnSettings) {
    const { pluginId, what, timeoutSeconds, signal, mask, onNote } = settings;
    this.#settings = settings;
    this.#watch = new IdleWatch(timeoutSeconds, () => {
      const silence = `made no progress for ${counted(timeoutSeconds, 'second')}`;
      this.#controller.abort(new AppError('failed', `plugin ${pluginId}: ${what} ${silence}`));
    });
    signal.addEventListener('abort', this.#stop, { once: true });
    if (signal.aborted) this.#stop();
    this.context = {
      signal: this.#controller.signal,
      progress: (note) => {
        this.#watch.touch();
        if (note !== undefined) onNote?.(mask(String(note)));
      },
    };
  }

  /** Waits for the plugin. Throws what it throws, masked and with its name, or why it broke off. */
  async call<T>(work: () => T | Promise<T>): Promise<T> {
    const { signal } = this.#controller;
    signal.throwIfAborted();
    let broken: (() => void) | undefined;
    const lost = new Promise<never>((_resolve, reject) => {
      broken = () => reject(signal.reason);
      signal.addEventListener('abort', broken, { once: true });
    });
    this.#watch.start();
    try {
      return await Promise.race([work(), lost]);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw this.fault(cause);
    } finally {
      this.#watch.pause();
      if (broken !== undefined) signal.removeEventListener('abort', broken);
      lost.catch(() => undefined);
    }
  }

  /** An error of the plugin, as people read it. */
  fault(cause: unknown): AppError {
    const { pluginId, what, mask } = this.#settings;
    const error = pluginError({ pluginId, what }, cause);
    const named = error.message.startsWith('plugin ')
      ? error.message
      : `plugin ${pluginId}: ${what} failed: ${error.message}`;
    return new AppError(error.code === 'cancelled' ? 'cancelled' : 'failed', mask(named), {
      cause: new Error(mask(named)),
    });
  }

  /** To be called at the end, however it ends. */
  end(): void {
    this.#watch.pause();
    this.#settings.signal.removeEventListener('abort', this.#stop);
    this.#controller.abort(new AppError('cancelled', `${this.#settings.what} is over`));
  }
}
