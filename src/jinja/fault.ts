export type FaultKind = 'undefined' | 'fault' | 'budget';

/**
 * Thrown by a running template. Not an `Error`: a missing attribute is an everyday event over 100,000 hosts, and capturing a
 * stack for each costs more than the render itself.
 */
export class Fault {
  readonly kind: FaultKind;
  readonly message: string;

  constructor(kind: FaultKind, message: string) {
    this.kind = kind;
    this.message = message;
  }
}

export function fault(message: string): Fault {
  return new Fault('fault', message);
}

/** Returns the fault for a call with more arguments than allowed. */
export function tooManyArguments(callee: string, most: number): Fault {
  return fault(`${callee} takes at most ${most} ${most === 1 ? 'argument' : 'arguments'}`);
}

export function budgetFault(message: string): Fault {
  return new Fault('budget', message);
}
