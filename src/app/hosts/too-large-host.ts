import { detailOf, worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Config } from '../kernel/config/schema.ts';

/** Why a write is refused that would make a host larger than hosts may be. */
export function tooLargeHost(hostname: string, given: string, { MAX_HOST_BYTES }: Config): AppError {
  return new AppError(
    'invalid_input',
    worded`host ${{ hostname }} would be larger than MAX_HOST_BYTES allows (${{ maxHostBytes: MAX_HOST_BYTES }} bytes) with ${{ given }}; remove labels or inventory sections first`,
    {
      details: [detailOf('hostname', worded`larger than ${{ most: String(MAX_HOST_BYTES) }} bytes with ${{ given }}`)],
    },
  );
}
