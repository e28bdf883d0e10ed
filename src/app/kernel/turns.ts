/** Which plugin is called for what. */
export interface PluginCall {
  readonly pluginId: string;
  readonly what: string;
}

/** Told when a plugin gets control of the thread, until it gives it back. Answers who had it before. */
export type TurnObserver = (call: PluginCall | undefined) => PluginCall | undefined;

let observeTurn: TurnObserver | undefined;
const owners = new WeakMap<object, PluginCall>();

/** Sets the observer that watches this thread from outside: synchronous calls cannot be timed from inside. */
export function observeTurns(observer: TurnObserver): void {
  observeTurn = observer;
}

/** Notes the plugin that owns an item that rules call for every host. Items of the program itself have no owner. */
export function ownedBy(call: PluginCall, item: object): void {
  owners.set(item, call);
}

/** Calls something of an item's plugin that answers at once. */
export function inTurnOf<T>(item: object, run: () => T): T {
  const call = owners.get(item);
  if (call === undefined || observeTurn === undefined) return run();
  const before = observeTurn(call);
  try {
    return run();
  } finally {
    observeTurn(before);
  }
}

/** Returns the function, watched by the observer; the same function itself if it needs no watching. */
export function inTurnsOf<Given, Answer>(item: object, run: (given: Given) => Answer): (given: Given) => Answer {
  return owners.has(item) ? (given) => inTurnOf(item, () => run(given)) : run;
}
