import { httpClientOf } from '../../kit/http-account/client.ts';
import { valuesAt } from '../../kit/records/record-path.ts';
import { FIRST_PLACE } from './list-request.ts';
import { planOf } from './plan.ts';
import type { RestRequest } from './read.ts';

/** Asks the system once, and says what answered and as whom it was asked. */
export async function checkRest(request: RestRequest, context: { readonly signal: AbortSignal }): Promise<string> {
  const plan = await planOf(request);
  const { account, services } = request;
  const { check_path, version_key, auth, url } = plan.options;
  const client = await httpClientOf(plan.options, account, services, context);
  try {
    const [list] = plan.lists;
    const first = list?.request.at(FIRST_PLACE) ?? {};
    let version = '';
    if (check_path === undefined) {
      if (list?.request.walk === undefined) (await client.request(first, context)).discard();
      else {
        const pages = client.pages((place) => list.request.at(place), list.request.walk, context);
        await pages.next();
        await pages.return();
      }
    } else {
      const { value = null } = await client.json({ path: check_path }, context);
      const found = version_key === undefined ? undefined : valuesAt(value, version_key)?.[0];
      if (typeof found === 'string' || typeof found === 'number') version = `, version ${found}`;
    }
    const who = account.username === '' || auth === 'none' ? '' : ` as ${account.username}`;
    return `${plan.title} at ${url ?? account.address}${who}${version}`;
  } finally {
    await client.close();
  }
}
