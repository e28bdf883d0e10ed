import { secondsWording, worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import type { PluginCall } from '../turns.ts';
import { placeText } from './error-place.ts';

/** A call of a plugin and its purpose; both appear in the error if it fails. */
export interface GuardedCall extends PluginCall {
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

/** The calls of plugins at a moment, the newest last. */
export type CallsUnderWay = readonly PluginCall[];

const underWay = new Set<PluginCall>();
let observe: ((calls: CallsUnderWay) => void) | undefined;

/** Sets the observer that watches this thread from outside; it is called whenever a call begins or ends. */
export function observeCalls(observer: (calls: CallsUnderWay) => void): void {
  observe = observer;
}

/**
 * Runs one call into a plugin. It ends when the plugin answers, throws, exceeds the time or the signal aborts, and a
 * failure names the plugin. The plugin gets a signal that aborts in each of these cases.
 */
export async function guarded<T>(call: GuardedCall, run: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(call.signal?.reason);
  call.signal?.addEventListener('abort', stop, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const { pluginId: plugin, what, timeoutSeconds } = call;
      const time = secondsWording(timeoutSeconds);
      reject(new AppError('failed', worded`plugin ${{ plugin }}: ${{ what }} took longer than ${{ time }}`));
    }, call.timeoutSeconds * 1000);
    controller.signal.addEventListener(
      'abort',
      () => reject(new AppError('cancelled', worded`${{ what: call.what }} was cancelled`)),
      {
        once: true,
      },
    );
  });
  if (call.signal?.aborted) stop();
  const entered = { pluginId: call.pluginId, what: call.what };
  if (observe !== undefined) {
    underWay.add(entered);
    observe([...underWay]);
  }
  try {
    return await Promise.race([run(controller.signal), ended]);
  } catch (cause) {
    throw pluginError(call, cause);
  } finally {
    clearTimeout(timer);
    if (underWay.delete(entered)) observe?.([...underWay]);
    call.signal?.removeEventListener('abort', stop);
    ended.catch(() => undefined);
    controller.abort();
  }
}

/** Names the plugin in an error that came out of it; an error that was meant for the caller stays as it is. */
export function pluginError(call: PluginCall, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const { pluginId: plugin, what } = call;
  const said = worded`plugin ${{ plugin }}: ${{ what }} failed: ${{ reason: `${reason}${placeText(cause)}` }}`;
  return new AppError('failed', said, { cause });
}
