import { worded } from '../../kit/worded.ts';
import { HttpError, type HttpQueryValue, type HttpRequest } from '../../ports/index.ts';
import { type CheckedSettings, checkHeader } from './settings.ts';

/** A request ready to send, except for credentials. */
export interface PreparedRequest {
  readonly request: HttpRequest;
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export function preparedRequest(settings: CheckedSettings, request: HttpRequest, accept: string): PreparedRequest {
  const method = (request.method ?? 'GET').toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT') {
    throw new HttpError(
      'content',
      worded`${{ method: JSON.stringify(request.method) }} is not a method that requests can have`,
    );
  }
  const { body, type } = bodyOf(request);
  // The account decides which media types to accept, unless the request itself does.
  const wanted = Object.entries(settings.headers).find(([name]) => name.toLowerCase() === 'accept')?.[1];
  const headers: Record<string, string> = {
    accept: wanted ?? accept,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  if (request.etag !== undefined) headers['if-none-match'] = request.etag;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    checkHeader(name, value);
    headers[name.toLowerCase()] = value;
  }
  return { request, method, url: urlOf(settings, request), headers, body };
}

export function sameOrigin(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && a.host === b.host;
}

/** The address of a request. Throws for one that leads out of the system, so that no path from data takes credentials elsewhere. */
function urlOf({ base }: CheckedSettings, { path = '', query = {} }: HttpRequest): URL {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(path) ? wholeUrl(base, path) : below(base, path);
  const asked = Object.entries(query);
  // Apart from the address, which would be written and read again with each value: a filter may have a hundred.
  const parameters = asked.length === 0 ? undefined : new URLSearchParams(url.search);
  for (const [name, value] of asked) {
    parameters?.delete(name);
    for (const one of valuesOf(value)) parameters?.append(name, String(one));
  }
  if (parameters !== undefined) url.search = parameters.toString();
  url.hash = '';
  return url;
}

function valuesOf(value: HttpQueryValue | readonly HttpQueryValue[] | undefined): readonly HttpQueryValue[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value : [value];
}

function wholeUrl(base: URL, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.username === '' && url.password === '' && sameOrigin(url, base)) return url;
  const where = url === undefined ? worded`no address` : `${url.protocol}//${url.host}`;
  const { origin } = base;
  throw new HttpError(
    'origin',
    worded`a request to ${{ where }} is not sent: credentials go to ${{ origin }} only; correct the address of the system`,
  );
}

function below(base: URL, path: string): URL {
  const start = base.pathname.replace(/\/+$/, '');
  const [place = '', ...rest] = path.split('?');
  const relative = place.replace(/^\/+/, '');
  const url = new URL(base);
  if (relative !== '') url.pathname = `${start}/${relative}`;
  // `..`, also as codes, is resolved by now.
  if (!`${url.pathname}/`.startsWith(`${start}/`)) {
    throw new HttpError(
      'origin',
      worded`a path that leads out of ${{ address: `${base.origin}${base.pathname}` }} is not sent; correct the path`,
    );
  }
  if (rest.length === 0) return url;
  const parameters = new URLSearchParams(url.search);
  for (const [name, value] of new URLSearchParams(rest.join('?'))) parameters.append(name, value);
  url.search = parameters.toString();
  return url;
}

function bodyOf({ json, form, body }: HttpRequest): { readonly body?: string | Uint8Array; readonly type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form !== undefined) {
    const fields = Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one] as [string, string]),
    );
    return { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
  }
  return body === undefined ? {} : { body };
}
