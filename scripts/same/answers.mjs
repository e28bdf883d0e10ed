// What a built checkout answers: every operation that reads, through command, REST, tool and page call, over real hosts and made ones.
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../report.mjs';
import { COMMANDS, DOCUMENTS, INPUTS, NETBOX_RULES, PATH_VALUES, QUERIES, TOOL_INPUTS } from './questions.mjs';
import { startMongodb, startNetBox } from './systems.mjs';

const BEGUN = Date.parse('2026-01-02T03:04:05Z');
const MINUTE = 60_000;
const PASSWORD = 'correct horse battery staple';
const OPERATION =
  /= define(?:Stream)?Operation\(\{\s*name: '([^']+)'[\s\S]*?\n {2}effect: '(\w+)'[\s\S]*?\n {2}at: (\{[\s\S]*?\n {2}\}|\{.*?\}),\n/g;

/** What differs between two runs of one build, and what it is called instead. */
const NORMALISED = [
  // Durations and memory of the machine.
  [/\b\d+(?:\.\d+)? ?(?:ms|s|min|MB|GB|KiB|MiB|GiB)\b/g, '<amount>'],
  [/"(?:duration_ms|\w+_bytes|uptime_seconds|pid)":\s?\d+(?:\.\d+)?/g, '<figure>'],
  [/"size":"[\d.]+"/g, '<amount>'],
  // Sealed texts and cursors have a nonce.
  [/(?:enc|sealed):[\w+/=:.-]+/g, '<sealed>'],
  [/"(?:id|cursor|next)":"[\w-]{22}"/g, '<cursor>'],
  [/\bnonce(?:=|-)"?[\w+/=]+"?/g, '<nonce>'],
];

class Answers {
  #found = new Map();
  #folder;
  #place;
  #processes = 0;

  constructor(folder, place) {
    this.#folder = folder;
    this.#place = place;
  }

  get found() {
    return this.#found;
  }

  environment(more = {}) {
    this.#processes += 1;
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_') && name !== 'NODE_OPTIONS');
    return {
      ...Object.fromEntries(own),
      NO_COLOR: '1',
      COLUMNS: '120',
      TZ: 'UTC',
      MUSTER_SAME_NOW: new Date(BEGUN + this.#processes * MINUTE).toISOString(),
      NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'scripts/same/fixed.mjs')).href}`,
      SERVICE_DATABASE_URL: 'sqlite:muster.db',
      SERVICE_CMDB_MODE: 'true',
      ...more,
    };
  }

  keep(name, text) {
    this.#found.set(name, this.#normal(text));
  }

  /** Runs a command and keeps what it printed. */
  async command(args, { input = '', environment, kept = true } = {}) {
    const { code, stdout, stderr } = await this.#run(args, input, environment);
    if (kept) this.keep(`muster ${args.join(' ')}`, `exit ${code}\n${stdout}\n--- stderr\n${stderr}`);
    else if (code !== 0) throw new Error(`muster ${args.join(' ')} ended with ${code}:\n${stderr}`);
    return stdout;
  }

  #run(args, input, environment) {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(this.#folder, 'bin/muster'), ...args],
        { cwd: this.#place, env: this.environment(environment), maxBuffer: 2 ** 30 },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
      child.stdin.end(input);
    });
  }

  /** Starts a service of this build; `address` is that of REST and pages, `tools` that of the tool server. */
  async serve() {
    const child = spawn(process.execPath, [join(this.#folder, 'bin/muster'), 'serve', '--http-port', '0'], {
      cwd: this.#place,
      // Nothing runs beside the questions.
      env: this.environment({
        SERVICE_CRON_PASS_SECONDS: '3600',
        SERVICE_MCPSERVER_ENABLED: 'true',
        SERVICE_MCPSERVER_PORT: '0',
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const [address, tools] = await new Promise((resolve, reject) => {
      const read = (data) => {
        said += data;
        const found = [/serves (http:\/\/\S+)/, /clients: (http:\/\/\S+)/].map((line) => line.exec(said)?.[1]);
        if (found.every((each) => each !== undefined)) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', () => reject(new Error(`The service ended:\n${said}`)));
    });
    const stop = async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    };
    return { address, tools, stop };
  }

  #normal(text) {
    let normal = text.replaceAll(this.#place, '<place>').replaceAll(this.#folder, '<program>');
    normal = normal.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
    for (const [pattern, name] of NORMALISED) normal = normal.replace(pattern, name);
    const ids = new Map();
    // Identifiers by the order in which they appear.
    return normal.replace(/\b[0-9a-f]{24}\b/g, (id) => {
      if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
      return ids.get(id);
    });
  }
}

/** The answers by what was asked. `names` is the checkout whose operations are asked: names stay valid when operations are joined. */
export async function answersOf(folder, { hosts, names }) {
  const place = mkdtempSync(join(tmpdir(), 'muster-answers-'));
  const answers = new Answers(folder, place);
  try {
    await fill(answers, place, hosts);
    for (const args of COMMANDS) {
      await answers.command(args);
      await answers.command([...args, '--json']);
    }
    await inventories(answers);
    await stores(answers, place);
    await plans(answers, place);
    const service = await answers.serve();
    try {
      await askRest(answers, service.address, names);
      await askPages(answers, service.address, names);
      await askTools(answers, service.tools);
    } finally {
      await service.stop();
    }
    return answers.found;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function fill(answers, place, hosts) {
  cpSync(join(root, 'sample'), join(place, 'sample'), { recursive: true });
  const made = Array.from({ length: hosts }, (_, at) => {
    return `made${at}.example.org,10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255},site${at % 40},${at % 7 === 0 ? 'debian' : 'suse'}`;
  });
  writeFileSync(join(place, 'made.csv'), `host,address,site,os\n${made.join('\n')}\n`);
  writeFileSync(join(place, 'documents.json'), JSON.stringify(DOCUMENTS));
  const quietly = { kept: false };
  const csv = (name, path) => ['account', 'add', name, '--type', 'csv', '--set', `path=${path}`];
  await answers.command(csv('nodes', 'sample/wikimedia-nodes.csv'), quietly);
  await answers.command(csv('made', 'made.csv'), quietly);
  await answers.command(['account', 'add', 'out', '--type', 'json_file', '--set', 'path=out.jsonl'], quietly);
  await answers.command(['user', 'add', 'root', '--admin', '--role', 'all', '--role', 'mcp', '--password-stdin'], {
    ...quietly,
    input: PASSWORD,
  });
  await answers.command(['rules', 'import', 'sample/rules.json']);
  await answers.command(['rules', 'import', 'documents.json']);
  for (const name of ['nodes', 'made']) for (const _ of [1, 2]) await answers.command(['import', name, '--json']);
  await answers.command(['export', 'out', '--json']);
  answers.keep('the exported file', readFileSync(join(place, 'out.jsonl'), 'utf8'));
}

async function inventories(answers) {
  const listed = JSON.parse(await answers.command(['inventory-providers', '--json']));
  for (const name of listed.providers) {
    await answers.command(['inventory', name, '--list']);
    await answers.command(['inventory', name, '--host', PATH_VALUES.hostname]);
  }
}

/** A backup that is restored into each store holds the same there, and so does what is written of it again. */
async function stores(answers, place) {
  mkdirSync(join(place, 'again'));
  await answers.command(['backup', 'first.gz'], { kept: false });
  const mongodb = await startMongodb();
  try {
    const addresses = { SQLite: 'sqlite:again/muster.db', MongoDB: mongodb.url.replace('/?', '/again?') };
    for (const [store, url] of Object.entries(addresses)) {
      const environment = { SERVICE_DATABASE_URL: url };
      await answers.command(['restore', 'first.gz'], { environment, kept: false });
      for (const args of [
        ['rules', 'export', '--include-accounts'],
        ['host', 'list', '--json'],
        ['inventory', '--list'],
      ])
        answers.keep(`${store}: muster ${args.join(' ')}`, await answers.command(args, { environment, kept: false }));
    }
  } finally {
    await mongodb.stop();
  }
}

/** What an export plans and writes, and that a second one has nothing to do. */
async function plans(answers, place) {
  const netbox = await startNetBox();
  try {
    const account = [
      'account',
      'add',
      'dcim',
      '--type',
      'netbox',
      '--set',
      `url=${netbox.address}`,
      '--password-stdin',
    ];
    await answers.command(account, { kept: false, input: netbox.token });
    writeFileSync(join(place, 'netbox.json'), JSON.stringify({ rules: NETBOX_RULES }));
    await answers.command(['rules', 'import', 'netbox.json']);
    for (const args of [['plan'], ['export'], ['plan']]) await answers.command([...args, 'dcim', '--json']);
    answers.keep('calls of NetBox', netbox.calls.join('\n'));
  } finally {
    await netbox.stop();
  }
}

async function askRest(answers, address, names) {
  const { paths } = JSON.parse(readFileSync(join(names, 'test/adapters/http/fixtures/openapi.json'), 'utf8'));
  const authorization = `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}`;
  for (const path of Object.keys(paths).filter((each) => paths[each].get !== undefined && !each.endsWith('/stream'))) {
    const asked = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(PATH_VALUES[name] ?? 'nosuch'));
    const query = new URLSearchParams(QUERIES[path] ?? {});
    const answer = await fetch(`${address}${asked}?${query}`, { headers: { authorization } });
    const text = await answer.text();
    // Which series there are depends on what happened; their names do not.
    const shown = path === '/metrics' ? text.replace(/^[^#].*\n/gm, '') : text;
    answers.keep(`GET ${path}`, `${answer.status} ${answer.headers.get('content-type')}\n${shown}`);
  }
}

async function askPages(answers, address, names) {
  const json = { 'content-type': 'application/json', origin: address };
  const session = await fetch(`${address}/admin/api/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'root', password: PASSWORD }),
  });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const name of pageReads(names)) {
    const answer = await fetch(`${address}/admin/api/operations/${name}`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify(INPUTS[name] ?? {}),
    });
    answers.keep(`page ${name}`, `${answer.status}\n${await answer.text()}`);
  }
}

/** Names of the operations that pages call and that only read. */
function pageReads(folder) {
  const found = [];
  for (const name of readdirSync(join(folder, 'src/app'), { recursive: true })) {
    if (!/operations\/[^/]+\.ts$/.test(name)) continue;
    const text = readFileSync(join(folder, 'src/app', name), 'utf8');
    for (const [, operation, effect, at] of text.matchAll(OPERATION))
      if (effect === 'read' && at.includes('page: true')) found.push(operation);
  }
  return found.sort();
}

async function askTools(answers, address) {
  const call = async (method, params) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return answer.text();
  };
  const listed = await call('tools/list', {});
  answers.keep('tools', listed);
  const { result } = JSON.parse(listed.slice(listed.indexOf('{')));
  for (const { name, annotations } of result?.tools ?? [])
    if (annotations?.readOnlyHint)
      answers.keep(`tool ${name}`, await call('tools/call', { name, arguments: TOOL_INPUTS[name] ?? {} }));
}
