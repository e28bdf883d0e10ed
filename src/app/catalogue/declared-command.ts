import type { CommandUsage } from '../kernel/entrances.ts';
import type { AnyOperation } from '../kernel/operation.ts';

/** A command that an operation declares. The operation is loaded when the command is done: help needs none. */
export interface DeclaredCommand extends CommandUsage {
  readonly description: string;
  operation(): Promise<AnyOperation>;
}
