import { isJsonObject } from '../../../kit/json/json-object.ts';
import { AppError, type JsonObject, type ObjectReference, type SecretBox } from '../../../ports/index.ts';

/** The place that secret fields of an object are sealed for. */
export function ownershipPlace(accountId: string, { kind, key }: ObjectReference): string {
  return `remote object/${accountId}/${kind}/${key}`;
}

/** The secret fields that were sealed; `undefined` when they do not open any more, such as after a change of the instance key. */
export async function openSecrets(box: SecretBox, sealed: string, place: string): Promise<JsonObject | undefined> {
  try {
    const value = JSON.parse(await box.open(sealed, place));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
