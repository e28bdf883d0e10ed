import { PLUGIN_API_VERSION } from '../../../src/ports/index.ts';

/** How systems spell a password that they echo: by name, as code over `s` (the secret) and `user`. */
const SPELLINGS: Readonly<Record<string, string>> = {
  plain: 's',
  component: 'encodeURIComponent(s)',
  'lower-case component': 'encodeURIComponent(s).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())',
  form: 'new URLSearchParams({ p: s }).toString().slice(2)',
  address: 'Object.assign(new URL("http://u@h"), { password: s }).href',
  base64: 'Buffer.from(s).toString("base64")',
  'base64 in Latin-1': 'Buffer.from(s, "latin1").toString("base64")',
  base64url: 'Buffer.from(s).toString("base64url")',
  login: '"Basic " + Buffer.from(user + ":" + s).toString("base64")',
  'login in Latin-1': '"Basic " + Buffer.from(user + ":" + s, "latin1").toString("base64")',
  'login of somebody else': 'Buffer.from("svc:" + s).toString("base64url")',
  JSON: 'JSON.stringify({ password: s })',
  'JSON in ASCII': 'JSON.stringify(s).replace(/[^\\x00-\\x7f]/g, (c) => "\\\\u00" + c.charCodeAt(0).toString(16))',
  markup: 's.replaceAll("&", "&amp;").replaceAll("\\"", "&quot;")',
};

/**
 * A plugin with a source `echo` and a target `echo_out` that say their secrets, in every spelling, at the place that the
 * option `at` names.
 */
export function echoingPlugin(): string {
  return `
const options = {
  safeParse(value) {
    const issue = { code: 'custom', path: ['api_token'], message: 'refuses ' + value.api_token };
    return value.at === 'options' ? { success: false, error: { issues: [issue] } } : { success: true, data: value };
  },
};
const settings = { safeParse: (value) => ({ success: true, data: value }) };
export default {
  id: 'echo-plugin',
  apiVersion: ${PLUGIN_API_VERSION},
  options: settings,
  register(host, given) {
    host.logger.warn('connects with ' + given.token, { token: given.token });
    const said = (account, own) => {
      const user = account.username;
      const all = [account.password, own.api_token, own.site_key, given.token].filter(Boolean);
      return 'refused: ' + all.flatMap((s) => [${Object.values(SPELLINGS).join(', ')}]).join(' | ') + ' (status 401)';
    };
    const echo = (account, own, logger) => {
      const text = () => said(account, own);
      const thrown = () => {
        const cause = Object.assign(new Error('cause ' + text()), { name: 'Refused', response: { headers: [text()] } });
        return Object.assign(new Error(text(), { cause }), { code: 'E401' });
      };
      const log = () => {
        logger.warn(text(), { url: new URL('http://h/?p=' + encodeURIComponent(account.password)), nested: [{ [account.password]: text() }] });
        logger.child({ with: text() }).error('again', { error: thrown(), body: Buffer.from(account.password) });
      };
      return { text, thrown, log };
    };
    host.source({
      id: 'echo', aliases: [], title: 'Echo', description: 'Echoes.', options,
      open(own, account, { logger }) {
        const { text, thrown, log } = echo(account, own, logger);
        if (own.at === 'open') throw thrown();
        return {
          read() {
            if (own.at === 'read') throw thrown();
            return (async function* () {
              log();
              if (own.at === 'first step') throw thrown();
              if (own.at === 'skipped') yield [{ kind: 'skipped', position: 'at ' + text(), reason: text() }];
              if (own.at === 'refused') yield [{ kind: 'record', position: 'at ' + text(), hostname: '', labels: {} }];
              yield [{ kind: 'record', position: 'record 1', hostname: 'web1', labels: { note: 'uses ' + account.password } }];
              if (own.at === 'later step') throw thrown();
            })();
          },
        };
      },
    });
    host.target({
      id: 'echo_out', title: 'Echo', description: 'Echoes.', options,
      open(own, account, { logger }) {
        const { text, thrown, log } = echo(account, own, logger);
        if (own.at === 'open') throw thrown();
        return {
          async check() { log(); if (own.at === 'check') throw thrown(); return text(); },
          async write(hosts, run) {
            log();
            run.progress(text());
            for await (const batch of hosts) for (const host of batch) {
              if (own.at === 'first step') throw thrown();
              if (own.at === 'skipped') run.failed(host, text()); else run.written(host);
            }
            return {};
          },
        };
      },
    });
    host.job({
      id: 'Echo Job', aliases: [], title: 'Echo', description: 'Echoes.', account: 'none',
      run: async () => ({ failed: false, message: 'done', details: [] }),
    });
  },
};`;
}
