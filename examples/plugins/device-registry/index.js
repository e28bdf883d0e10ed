import { definePlugin, z } from 'muster/plugin-api';
import { registryFields, registryFilter } from './rules.js';

const MARK = 'muster';
const PAGES = { by: 'page', parameter: 'page', items: 'items', pages: 'pages' };

/** A target with objects: a registry that holds sites and, at them, devices. Others keep their own in it too. */
export default definePlugin({
  id: 'device-registry',
  apiVersion: 2,
  description: 'Keeps the devices of a registry as the hosts are.',
  register(host) {
    host.ruleType(registryFilter);
    host.ruleType(registryFields);
    host.target({
      id: 'device-registry',
      title: 'Device registry',
      description: 'Sites and devices, over HTTP.',
      options: z.strictObject({ url: z.string().min(1).describe('Where its interface is') }),
      // Sites first: a device stands at one.
      kinds: [
        { id: 'site', title: 'Sites', fields: { title: {} } },
        {
          id: 'device',
          title: 'Devices',
          batch: 50,
          fields: { site: {}, os: {}, tags: { compare: 'set' }, serial: { once: true } },
        },
      ],
      open({ url }, { password }, { http, logger }) {
        const client = http.client({ url, auth: { kind: 'bearer', token: password }, logger });
        return {
          read: (context) => read(client, context),
          wanted,
          apply: (changes, context) => applyAll(client, changes, context),
          async check(context) {
            const { value } = await client.json({ path: 'about' }, context);
            return `${value.name}, as ${value.user}`;
          },
        };
      },
    });
  },
});

async function* read(client, context) {
  for (const kind of ['site', 'device']) {
    try {
      for await (const { records } of client.pages({ path: `${kind}s` }, PAGES, context)) {
        yield records.map(({ id, name, owner, version, ...fields }) => ({
          kind,
          key: name,
          id,
          fields,
          owner: owner === MARK ? 'us' : owner === null ? 'nobody' : 'other',
          etag: version,
        }));
      }
    } catch (error) {
      // A part that is missing must not look like objects that are gone. Without an answer at all there is nothing to go on with.
      if (error.status === undefined || error.status === 401) throw error;
      yield [{ gap: `${kind}s`, reason: error.message, kinds: [kind] }];
    }
  }
}

/** What one host wants to be there: its variables say so, and the rules of this target, which come later. */
function wanted({ hostname, variables, outcomes }) {
  const decided = outcomes.registry_fields ?? [];
  const { site, os, tags, serial } = Object.assign({}, variables.value, ...decided.map(({ value }) => value));
  if (!site) return [];
  return [
    { kind: 'site', key: site, fields: { title: `Site ${site}` } },
    {
      kind: 'device',
      key: hostname,
      fields: { site, ...(os && { os }), ...(tags && { tags }), ...(serial && { serial }) },
      after: [{ kind: 'site', key: site }],
      // People see in the plan which rule it was.
      ...(decided.length > 0 && { rule: decided.at(-1).rule.id }),
    },
  ];
}

async function applyAll(client, changes, context) {
  const [{ action, kind }] = changes;
  if (action === 'create' && kind === 'device') return createDevices(client, changes, context);
  const outcomes = [];
  for (const change of changes) {
    outcomes.push(await applyOne(client, change, context));
    context.progress();
  }
  return outcomes;
}

async function createDevices(client, changes, context) {
  const items = changes.map(({ key, fields }) => ({ name: key, owner: MARK, ...fields }));
  // Sent once only: a request whose answer is lost may have made them all.
  const request = { method: 'POST', path: 'devices/bulk', json: items, accept: [403, 422], repeatable: false };
  const { status, value } = await client.json(request, context);
  if (status === 403) return changes.map(() => ({ done: false, code: 'refused', reason: value.error }));
  // All or nothing: one of them is wrong, and Muster sends them singly to find out which.
  if (status === 422) {
    return changes.map(() => ({
      done: false,
      code: changes.length > 1 ? 'not_tried' : 'refused',
      reason: value.error,
    }));
  }
  return value.map(({ id, version }) => ({ done: true, id, etag: version }));
}

async function applyOne(client, { action, kind, key, id, fields, etag }, context) {
  const request =
    action === 'create'
      ? { method: 'POST', path: `${kind}s`, json: { name: key, owner: MARK, ...fields } }
      : action === 'delete'
        ? { method: 'DELETE', path: `${kind}s/${id}` }
        : { method: 'PATCH', path: `${kind}s/${id}`, json: { name: key, owner: MARK, ...fields } };
  const { status, value } = await client.json(
    { ...request, accept: [403, 404, 409, 412, 422], headers: { 'if-match': etag ?? '*' }, repeatable: false },
    context,
  );
  const code = { 403: 'refused', 404: 'gone', 409: 'exists', 412: 'changed', 422: 'refused' }[status];
  if (code !== undefined) return { done: false, code, reason: value.error };
  return { done: true, id: value?.id ?? id, etag: value?.version };
}
