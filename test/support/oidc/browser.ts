/** As much of a browser as a login needs: cookies by origin, and redirects one by one. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** Follows redirects to a page that is none, and answers it with its address. */
  async follow(url: string, init: RequestInit = {}): Promise<{ readonly url: string; readonly text: string }> {
    let at = url;
    let answer = await this.request(at, init);
    for (let steps = 0; answer.headers.has('location') && steps < 20; steps++) {
      at = new URL(answer.headers.get('location') ?? '', at).href;
      answer = await this.request(at);
    }
    return { url: at, text: await answer.text() };
  }

  /** Sends the form of a page, with what is filled in. */
  async submit(page: { readonly url: string; readonly text: string }, filled: Readonly<Record<string, string>>) {
    const [, action = page.url] = /<form[^>]*action="([^"]*)"/.exec(page.text) ?? [];
    const hidden = [...page.text.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    return this.follow(new URL(action, page.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, ...filled }).toString(),
    });
  }
}
