import type { Clock, Http, HttpClient } from '../ports/index.ts';

/** Clients whose program is loaded with their first request: most commands send none. */
export function lazyHttp(clock: Clock): Http {
  return {
    client(settings) {
      let opened: Promise<HttpClient> | undefined;
      let isClosed = false;
      const client = async (): Promise<HttpClient> => {
        opened ??= import('../adapters/http-client/client.ts').then(({ httpClients }) =>
          httpClients({ clock }).client(settings),
        );
        if (isClosed) await (await opened).close();
        return opened;
      };
      return {
        url: settings.url,
        request: async (request, context) => (await client()).request(request, context),
        json: async (request, context) => (await client()).json(request, context),
        text: async (request, context) => (await client()).text(request, context),
        async *records(request, path, context) {
          return yield* (await client()).records(request, path, context);
        },
        async *pages(request, walk, context) {
          yield* (await client()).pages(request, walk, context);
        },
        async close() {
          isClosed = true;
          await (await opened?.catch(() => undefined))?.close();
        },
      };
    },
  };
}
