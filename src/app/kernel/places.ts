import type { Clock, Storage } from '../../ports/index.ts';

export interface TryServices {
  readonly storage: Pick<Storage, 'access'>;
  readonly clock: Clock;
}

/**
 * Takes one of `most` places for `seconds`. Returns false if none is free. The search begins at a random place: most are free
 * until nearly all are taken.
 */
export async function takePlace(
  { storage, clock }: TryServices,
  name: string,
  { most, seconds }: { readonly most: number; readonly seconds: number },
): Promise<boolean> {
  const now = clock.now();
  const until = new Date(now.getTime() + seconds * 1000);
  const first = Math.floor(Math.random() * most);
  for (let step = 0; step < most; step++) {
    if (await storage.access.useOnce({ key: `${name} ${((first + step) % most) + 1}`, now, until })) return true;
  }
  return false;
}
