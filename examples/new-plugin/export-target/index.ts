import {
  type Change,
  type ChangeOutcome,
  definePlugin,
  type HttpClient,
  type JsonObject,
  type JsonValue,
  type RemoteObject,
  z,
} from 'muster/plugin-api';

/** What the system keeps as the owner of what we made. */
const MARK = 'muster';
/** `?page=1`, `?page=2` …: each answer has `devices`, and says in `pages` how many answers there are. */
const PAGES = { by: 'page', parameter: 'page', items: 'devices', pages: 'pages' } as const;
/** What a status says about a change that was not made. */
const REFUSALS = { 403: 'refused', 404: 'gone', 409: 'exists', 412: 'changed', 422: 'refused' } as const;

/** A target with objects: keeps the devices of a system as the hosts are. Others keep theirs in it too. */
export default definePlugin({
  id: 'my-plugin',
  apiVersion: 2,
  description: 'Keeps the devices of a system as the hosts are.',
  register(host) {
    host.target({
      id: 'my-plugin',
      title: 'My plugin',
      description: 'The devices of a system, over HTTP.',
      options: z.strictObject({ url: z.string().min(1).describe('Where its interface is') }),
      kinds: [{ id: 'device', title: 'Devices', fields: { os: {}, site: {} } }],
      open({ url }, { username, password }, { http, logger }) {
        const client = http.client({ url, auth: { kind: 'basic', username, password }, logger });
        return {
          // Throws when something is missing: what is not there looks as if somebody had deleted it.
          async *read(context) {
            for await (const { records } of client.pages({ path: 'devices' }, PAGES, context))
              yield records.map(objectOf);
          },
          wanted({ hostname, variables }) {
            const { os = '', site = '' } = variables.value;
            return [{ kind: 'device', key: hostname, fields: { os, site } }];
          },
          async apply(changes, context) {
            const outcomes: ChangeOutcome[] = [];
            for (const change of changes) {
              outcomes.push(await applied(client, change, context));
              context.progress();
            }
            return outcomes;
          },
          async check(context) {
            const { value } = await client.json({ path: 'devices' }, context);
            return `It lists its devices. Pages: ${(value as JsonObject).pages}.`;
          },
        };
      },
    });
  },
});

function objectOf(record: JsonValue): RemoteObject {
  const { id, name, owner, version, ...fields } = record as JsonObject;
  const whose = owner === MARK ? 'us' : owner === null ? 'nobody' : 'other';
  return { kind: 'device', key: String(name), id: String(id), fields, owner: whose, etag: String(version) };
}

/** Does one change. A request that makes something is sent once: if its answer is lost, it may have been done. */
async function applied(
  client: HttpClient,
  { action, key, id, fields, etag = '*' }: Change,
  context: { readonly signal: AbortSignal },
): Promise<ChangeOutcome> {
  const json = { name: key, owner: MARK, ...fields };
  const request =
    action === 'create'
      ? { method: 'POST', path: 'devices', json }
      : action === 'delete'
        ? { method: 'DELETE', path: `devices/${id}` }
        : { method: 'PATCH', path: `devices/${id}`, json };
  const accept = Object.keys(REFUSALS).map(Number);
  const headers = { 'if-match': etag };
  const answer = await client.json({ ...request, headers, accept, repeatable: false }, context);
  const value = (answer.value ?? {}) as JsonObject;
  const code = REFUSALS[answer.status as keyof typeof REFUSALS];
  if (code !== undefined) return { done: false, code, reason: String(value.error) };
  if (action !== 'create') return { done: true };
  // Without its id nobody knows what was made; the next plan finds out.
  if (typeof value.id !== 'string')
    return { done: false, code: 'unknown', reason: 'the answer does not say what was made' };
  return { done: true, id: value.id };
}
