import { CATALOGUE } from '../../../generated/catalogue.ts';
import type { AnyOperation } from '../kernel/operation.ts';

/** Every operation there is, by name. */
export const OPERATIONS: readonly AnyOperation[] = Object.values(CATALOGUE);

const byName = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/** The operation of that name, where the name comes from elsewhere and may be wrong. */
export function operationNamed(name: string): AnyOperation | undefined {
  return byName.get(name);
}
