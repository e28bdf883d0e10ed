import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadContext, Source } from '../../../src/ports/index.ts';
import { describeSourceContract } from '../../../src/testing/source.contract.ts';
import { world } from '../../app/import/support.ts';
import { readContext, temporaryFile } from '../../kit/shared/temporary-file.ts';
import { STORES } from '../../security/support/two-stores.ts';
import {
  content,
  cutOffSilently,
  type MisbehavingServer,
  misbehavingServer,
} from '../../support/misbehaving-server.ts';
import { openYaml } from './yaml-account.ts';

/** As existing installations have it: each member is a group, and has its hosts and their variables at named members. */
const GROUPS = `
webservers:
  hosts: [web1, web2]
  vars: {role: web}
databases:
  hosts: [db1]
  vars: {role: db}
`;
const OPTIONS = {
  name_of_hosts_key: 'hosts',
  name_of_variables_key: 'vars',
  request_headers: "{'Content-Type': 'application/json', 'X-Site': 'berlin'}",
  verify_cert: 'True',
  path: '',
};

let server: MisbehavingServer;
beforeEach(async () => {
  server = await misbehavingServer();
});
afterEach(() => server.close());

/** Name, part and labels of each record, and gaps in words. */
async function readOf(source: Source, context: Partial<ReadContext> = {}) {
  const told: unknown[] = [];
  for await (const items of source.read({ ...readContext(), ...context })) {
    for (const item of items) {
      if (item.kind === 'record') told.push([item.hostname, item.part, item.labels]);
      else told.push('reason' in item ? item.reason : item.kind);
    }
  }
  return told;
}

describe('a YAML document over HTTP', () => {
  it('is read with the options and the login of an existing account', async () => {
    server.at('/hosts.yml', content(GROUPS, { 'content-type': 'text/yaml' }));
    const account = { address: `${server.origin}/hosts.yml`, username: 'nina', password: 'secret phrase' };
    const source = openYaml({ ...OPTIONS, auth_type: 'Basic' }, account);
    expect(await readOf(source)).toEqual([
      ['web1', 'http', { role: 'web' }],
      ['web2', 'http', { role: 'web' }],
      ['db1', 'http', { role: 'db' }],
    ]);
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      path: '/hosts.yml',
      headers: {
        authorization: `Basic ${Buffer.from('nina:secret phrase').toString('base64')}`,
        'x-site': 'berlin',
      },
    });
    expect(await source.check?.({ signal: new AbortController().signal })).toBe(`${server.origin}/hosts.yml as nina`);
  });

  it('is what the jobs for it read of an account that has a path too, and the path is what all others read', async () => {
    server.at('/hosts.yml', content('- host: web1\n'));
    const path = await temporaryFile('- host: web2\n');
    const source = openYaml({ path, url: `${server.origin}/hosts.yml` });
    expect(source.parts).toEqual([]);
    expect(await readOf(source)).toEqual([['web2', undefined, {}]]);
    expect(await readOf(source, { part: 'http' })).toEqual([['web1', 'http', {}]]);
    expect(await readOf(source, { part: 'http', inventorizes: true })).toEqual([['web1', undefined, {}]]);
  });

  it('needs an address where there is no path, and says so', async () => {
    await expect(readOf(openYaml({}))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/path is missing.*url/),
    });
    await expect(readOf(openYaml({}), { part: 'http' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('names where it is and what is wrong, and no parameter of the address', async () => {
    server.at('/hosts.yml', content('- host: [web1\n- }'), content('<html><title>Login</title></html>'));
    const source = openYaml({ url: `${server.origin}/hosts.yml?token=abc123` });
    await expect(readOf(source)).rejects.toMatchObject({
      message: expect.stringContaining(`${server.origin}/hosts.yml is not valid YAML in line`),
    });
    await expect(readOf(source)).rejects.toMatchObject({ message: expect.stringMatching(/web page instead of YAML/) });
    await expect(readOf(source)).rejects.not.toMatchObject({ message: expect.stringContaining('abc123') });
  });

  it('that may have been cut off is not taken for the whole', async () => {
    server.at('/hosts.yml', cutOffSilently('- host: web1\n- host: web2\n'));
    const told = await readOf(openYaml({ url: `${server.origin}/hosts.yml` }));
    expect(told).toEqual([['web1', 'http', {}], expect.stringContaining('Content-Length')]);
  });

  it.each(STORES)(
    'archives in %s what it no longer has, and never what the file of the account brought',
    async (_, create) => {
      const opened = await create();
      try {
        const { run, active } = await world(opened.storage);
        const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
        const path = await temporaryFile('- host: of-file\n');
        const source = openYaml({ path, url: `${server.origin}/hosts.yml` });
        const http = { options, parts: ['http'], part: 'http' } as const;
        server.at('/hosts.yml', content('- host: web1\n- host: web2\n'), content('- host: web1\n'));
        await run(source, { options, parts: ['http'] });
        await run(source, http);
        expect(await run(source, http)).toMatchObject({ status: 'done', summary: { archived: 1 } });
        expect(await active()).toEqual(['of-file', 'web1']);
        expect(await run(source, { options, parts: ['http'] })).toMatchObject({
          status: 'done',
          summary: { archived: 0 },
        });
      } finally {
        await opened.close();
      }
    },
  );
});

describeSourceContract('yaml over HTTP', {
  async healthy() {
    server.at('/hosts.yml', content('- host: web1\n- {host: web2, serial: 4711}\n'));
    const source = openYaml({ url: `${server.origin}/hosts.yml`, key_fields: 'serial' });
    return { hostname: 'web1', source, keys: { hostname: 'web2', values: { serial: ['4711'] } } };
  },
  async broken() {
    server.at('/hosts.yml', content('- host: web1\n- host: "web2\n'));
    return openYaml({ url: `${server.origin}/hosts.yml` });
  },
});
