import * as z from 'zod';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { ExternalLogin, ExternalPerson, RuleDocument, SignInMethod } from '../../../src/ports/index.ts';
import { AdminClient } from './admin-client.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });

/** People as a system elsewhere knows them, by their id there. */
export interface World {
  readonly client: AdminClient;
  readonly people: Map<string, ExternalPerson & { readonly password: string }>;
  /** When set, the system does not answer. */
  silent: boolean;
  /** How often it was asked. */
  asked: number;
  /** Before the directory answers about a name and password. */
  pause(): Promise<void>;
  map(...mappings: readonly RuleDocument[]): Promise<void>;
  logIn(name: string, password?: string): ReturnType<AdminClient['logIn']>;
  /** The cookie of a browser that comes back from a system that lets people in by themselves. */
  comeBack(subject: string): Promise<{ readonly cookie: string; readonly location: string; readonly problem: string }>;
}

/** A service where people log in by accounts `directory` (name and password) and `portal` (elsewhere). */
export async function signInWorld(options: Readonly<Record<string, string>> = {}, config: object = {}): Promise<World> {
  const client = await AdminClient.start(config);
  const { services, executor } = client.service;
  const people: World['people'] = new Map();
  const state = { silent: false, asked: 0, pause: async (): Promise<void> => undefined };
  const ask = <T>(answer: T): T => {
    state.asked++;
    if (state.silent) throw new Error('no answer');
    return answer;
  };
  const login = (subject: string): ExternalLogin | undefined => {
    const person = people.get(subject);
    return person === undefined ? undefined : { person, session: `s-${subject}`, kept: subject };
  };
  const methods: Readonly<Record<string, SignInMethod>> = {
    'test-directory': {
      kind: 'password',
      async verify({ name, password }) {
        await state.pause();
        return ask([...people.values()].find((person) => person.name === name && person.password === password));
      },
      find: async (subject) => ask(people.get(subject)),
      check: async () => ask('the directory of the test'),
    },
    'test-portal': {
      kind: 'redirect',
      begin: async ({ returnAddress }) => ({
        address: `https://portal.test/?back=${returnAddress}`,
        pending: 'state-1',
      }),
      async finish({ address, pending }) {
        const found = login(new URL(address).searchParams.get('code') ?? '');
        if (pending !== 'state-1' || found === undefined) throw new Error('not the answer');
        return found;
      },
      renew: async (kept) => ask(login(kept)),
      logoutAddress: async ({ kept }) => `https://portal.test/logout?who=${kept}`,
      endedBy: async (body) => ({ session: body, message: body, until: new Date('2030-01-01') }),
    },
  };
  const door = services.plugins.door('test-sign-in', services.logger, []);
  for (const [id, method] of Object.entries(methods)) {
    const { kind } = method;
    door.signInMethod({ id, title: id, description: '', kind, options: z.strictObject({}), open: () => method });
  }
  const run = (operation: typeof addAccount | typeof importRules, value: object) =>
    executor.value(operation as never, { kind: 'value', value }, OPERATOR);
  await run(addAccount, { name: 'directory', type: 'test-directory', settings: options });
  await run(addAccount, { name: 'portal', type: 'test-portal', settings: { label: 'the portal', ...options } });
  return Object.assign(state, {
    client,
    people,
    map: async (...mappings: readonly RuleDocument[]) => {
      const documents = mappings.map((mapping) => ({ enabled: true, ...mapping }));
      await run(importRules, { rules: { sign_in_groups: documents }, override: true });
    },
    logIn: (name: string, password = 'secret') =>
      client.service.request({
        method: 'POST',
        url: '/admin/api/session',
        user: null,
        payload: { name, password, method: 'directory' },
      }),
    async comeBack(subject: string) {
      const away = await client.service.request({ url: '/admin/sign-in/portal?to=/admin/hosts', user: null });
      const pending = String(away.headers['set-cookie']).split(';')[0] as string;
      const url = `/admin/sign-in/portal/return?code=${subject}`;
      const back = await client.service.request({ url, user: null, headers: { cookie: pending } });
      const set = [back.headers['set-cookie'] ?? []].flat().map((text) => text.split(';')[0] as string);
      const of = (name: string) => set.find((text) => text.startsWith(`${name}=`) && text !== `${name}=`) ?? '';
      const problem = decodeURIComponent(of('muster_login_problem').replace(/^[^=]*=/, ''));
      return { cookie: of('muster_session'), location: String(back.headers.location), problem };
    },
  });
}
