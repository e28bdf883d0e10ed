import type * as z from 'zod';
import { abridged, messageOf, saidBy, worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { DoctorContext, Finding } from '../maintenance/upkeep-parts.ts';
import { listOversized } from './operations/list-oversized.ts';

/** Reports data stored before one of today's limits. It stays usable, but cannot be saved again. */
export async function limitFindings(
  { services, caller, signal }: DoctorContext,
  hasStorage: boolean,
): Promise<readonly Finding[]> {
  if (!hasStorage) return [];
  const check = 'limits';
  const commands = ['muster storage check'];
  const effects = ['read'] as const;
  try {
    const answer = await services.callOperation(listOversized.name, {}, caller, { signal, effects });
    const { count, names } = answer as z.infer<typeof listOversized.output>;
    if (count === 0) return [];
    const said = worded`stored beyond a limit or check of today: ${{ names: abridged(names, count) }}; they keep working, but changes to them cannot be saved: see "muster storage check", then make several rules of one, or remove labels or inventory of a host`;
    return [{ check, ok: true, warning: true, ...messageOf(said), commands }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ check, ok: true, warning: true, ...messageOf(saidBy(error)), commands }];
  }
}
