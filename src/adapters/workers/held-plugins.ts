import type { CallsUnderWay } from '../../app/kernel/plugin-host/guard.ts';
import { AppError } from '../../ports/index.ts';
import { heldText } from '../plugin-watch/pulse.ts';

/** A plugin that threads are to do without, and the message for its users. */
export interface HeldPlugin {
  readonly pluginId: string;
  readonly message: string;
}

interface Listener {
  leaveOut(plugins: readonly HeldPlugin[]): void;
}

/**
 * Plugins that held a thread for good. They are left out of all other threads, present and future, until the service starts
 * again: each call would cost a thread, with everything else that runs on it.
 */
export class HeldPlugins {
  /** How long a plugin may keep a thread from doing anything else. */
  readonly timeoutSeconds: number;
  readonly #onHeld: (plugin: HeldPlugin) => void;
  readonly #threads = new Set<Listener>();
  readonly #held = new Map<string, HeldPlugin>();

  constructor(timeoutSeconds: number, onHeld: (plugin: HeldPlugin) => void) {
    this.timeoutSeconds = timeoutSeconds;
    this.#onHeld = onHeld;
  }

  get all(): readonly HeldPlugin[] {
    return [...this.#held.values()];
  }

  join(thread: Listener): void {
    this.#threads.add(thread);
  }

  leave(thread: Listener): void {
    this.#threads.delete(thread);
  }

  /** Returns the error for callers whose work ran there. */
  hold(calls: CallsUnderWay, ticks: number): AppError {
    const message = `${heldText(calls, ticks)}; it is left out until the service starts again`;
    const held = [...new Set(calls.map(({ pluginId }) => pluginId))].map((pluginId) => ({ pluginId, message }));
    for (const plugin of held) {
      this.#held.set(plugin.pluginId, plugin);
      this.#onHeld(plugin);
    }
    for (const thread of this.#threads) thread.leaveOut(held);
    return new AppError('unavailable', message, { retryAfterSeconds: 1 });
  }
}
