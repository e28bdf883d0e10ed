import type { Caller } from '../../../src/app/kernel/caller.ts';

/** Somebody at an entrance, without a user in the store. */
export function callerWith(name: string, members: Partial<Caller>): Caller {
  return {
    name,
    roles: [],
    readOnly: false,
    globalAdmin: false,
    scope: null,
    scopeNames: null,
    templates: null,
    templateNames: null,
    entrance: 'rest',
    address: '127.0.0.1',
    requestId: 'test',
    path: '/api/v1/test',
    ...members,
  };
}
