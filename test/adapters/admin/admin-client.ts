import type { LightMyRequestResponse } from 'fastify';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import { type HttpService, type HttpServiceOptions, PASSWORD, startHttpService } from '../http/http-service.ts';

export { PASSWORD } from '../http/http-service.ts';

const SESSION = '/admin/api/session';
const SECONDS_2026_03_01 = Date.parse('2026-03-01T12:00:00Z');

/** A service with the admin interface, and what a browser would do with it. */
export class AdminClient {
  readonly service: HttpService;
  readonly #clock: { at: number };

  private constructor(service: HttpService, clock: { at: number }) {
    this.service = service;
    this.#clock = clock;
  }

  static async start(config: Partial<Config> = {}, options: HttpServiceOptions = {}): Promise<AdminClient> {
    const clock = { at: SECONDS_2026_03_01 };
    const service = await startHttpService({
      config: { INSTANCE_KEY: '22'.repeat(32), ...config },
      clock: { now: () => new Date(clock.at) },
      admin: true,
      ...options,
    });
    return new AdminClient(service, clock);
  }

  pass(hours: number): void {
    this.#clock.at += hours * 60 * 60 * 1000;
  }

  logIn(name: string, password = PASSWORD, more: object = {}): Promise<LightMyRequestResponse> {
    return this.service.request({ method: 'POST', url: SESSION, user: null, payload: { name, password }, ...more });
  }

  /** The cookie of a user who has just logged in. */
  async cookieOf(name: string): Promise<string> {
    return cookieIn(await this.logIn(name));
  }

  async session(cookie: string): Promise<LightMyRequestResponse> {
    return this.service.request({ url: SESSION, user: null, headers: { cookie } });
  }

  call(
    operation: string,
    cookie: string | undefined,
    input: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<LightMyRequestResponse> {
    return this.service.request({
      method: 'POST',
      url: `/admin/api/operations/${operation}`,
      user: null,
      payload: input,
      headers: { ...(cookie === undefined ? {} : { cookie }), ...headers },
    });
  }
}

/** What the browser sends back of a `Set-Cookie`. */
export function cookieIn(answer: LightMyRequestResponse): string {
  return String(answer.headers['set-cookie']).split(';')[0] as string;
}
