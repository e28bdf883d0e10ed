import type { AnyOperation } from '../kernel/operation.ts';
import { HEAVY_OPERATIONS } from './heavy.generated.ts';

/** The operation of that name. A heavy one comes alone, as worker threads want it: all of them are a third of a second's work to load. */
export async function loadOperation(name: string): Promise<AnyOperation | undefined> {
  if (Object.hasOwn(HEAVY_OPERATIONS, name)) return HEAVY_OPERATIONS[name]?.();
  const { operationNamed } = await import('./operations.ts');
  return operationNamed(name);
}
