/** What programs of any kind need: where things are, who runs them, in which language, and how they get out. */
const PASSED: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'TERM', 'TMPDIR', 'LANG', 'LANGUAGE', 'TZ'],
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME'],
  ...['VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME', 'LD_LIBRARY_PATH'],
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'KRB5CCNAME', 'KRB5_CONFIG', 'KRB5_KTNAME', 'GNUPGHOME'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
]);
const PASSED_PREFIXES = ['LC_', 'ANSIBLE_'];

/**
 * The part of this process's environment that playbooks get. They, and every program that they start or whose output somebody
 * reads, see no key, no address of the database and no password of the service. `further` names variables that somebody wants
 * them to have; `*` at its end stands for the rest of a name, but for those of the service, which are only passed by their
 * whole names.
 */
export function passedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  further: readonly string[],
): Record<string, string | undefined> {
  const names = new Set([...PASSED, ...further]);
  const prefixes = [
    ...PASSED_PREFIXES,
    ...further.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)),
  ];
  const passes = (name: string): boolean =>
    names.has(name) || (!isOfService(name) && prefixes.some((prefix) => name.startsWith(prefix)));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => passes(name)));
}

function isOfService(name: string): boolean {
  return /^(SERVICE|MUSTER|MCPSERVER)_/.test(name);
}

/** Ansible refuses to start in a locale that is not UTF-8, such as that of a service that nobody told of one. */
export function withUtf8(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  return /utf-?8/i.test(locale) ? { ...environment } : { ...environment, LC_ALL: 'C.UTF-8' };
}
