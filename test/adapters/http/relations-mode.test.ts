import { afterEach, expect, it } from 'vitest';
import { type HttpService, startHttpService } from './http-service.ts';

let service: HttpService;

afterEach(() => service.stop());

it.each(['GET', 'HEAD', 'POST', 'DELETE'] as const)(
  '%s of relations is 404 before anything else without CMDB mode',
  async (method) => {
    service = await startHttpService();
    const url = '/api/v1/objects/web1/relations';
    for (const user of [null, 'nobody', 'root']) {
      const answer = await service.request({ method, url, user, remoteAddress: '192.0.2.7', payload: '{' });
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  },
);

it('relations need credentials in CMDB mode', async () => {
  service = await startHttpService({ config: { CMDB_MODE: true } });
  const url = '/api/v1/objects/web1/relations';
  expect((await service.request({ url, user: null })).statusCode).toBe(401);
  expect((await service.request({ url })).statusCode).toBe(404);
});
