#!/usr/bin/env node
// Makes a fresh clone ready to run: checks the machine, installs the locked packages, builds. A second run only looks.
// Uses nothing but Node's own modules, because nothing else is there yet.
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { forgetCompiledDriver, keepCompiledDriver, takeCompiledDriver } from './driver-cache.mjs';
import { fingerprintOfContents } from './fingerprint.mjs';
import { capture, dim, fail, findProgram, note, root, SetupError, step } from './report.mjs';

const oldestNode = [20, 19];
const stampFile = join(root, 'node_modules', '.muster-setup');

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new SetupError(
    `Muster needs Node.js ${oldestNode.join('.')} or newer, and this is ${process.versions.node}.\n` +
      'Install the current long-term release from https://nodejs.org, or with a version manager: nvm install --lts',
  );
}

const howToInstall = {
  darwin: {
    'a C++ compiler': 'xcode-select --install',
    make: 'xcode-select --install',
    'Python 3': 'xcode-select --install',
  },
  win32: {
    'a C++ compiler': 'Visual Studio Build Tools with "Desktop development with C++"',
    'Python 3': 'winget install Python.Python.3.12',
  },
  apt: { 'a C++ compiler': 'apt-get install g++', make: 'apt-get install make', 'Python 3': 'apt-get install python3' },
  dnf: { 'a C++ compiler': 'dnf install gcc-c++', make: 'dnf install make', 'Python 3': 'dnf install python3' },
  apk: { 'a C++ compiler': 'apk add g++', make: 'apk add make', 'Python 3': 'apk add python3' },
  pacman: { 'a C++ compiler': 'pacman -S gcc', make: 'pacman -S make', 'Python 3': 'pacman -S python' },
  zypper: {
    'a C++ compiler': 'zypper install gcc-c++',
    make: 'zypper install make',
    'Python 3': 'zypper install python3',
  },
};

/** What compiling a package would need and this machine lacks, each with the way to get it. */
function missingBuildTools() {
  const windows = process.platform === 'win32';
  const missing = [];
  if (!process.env.CXX && !windows && !findProgram('c++', 'g++', 'clang++')) missing.push('a C++ compiler');
  if (!windows && !findProgram('make', 'gmake')) missing.push('make');
  if (!process.env.PYTHON && !findProgram('python3', 'python')) missing.push('Python 3');
  const system = howToInstall[process.platform]
    ? process.platform
    : ['apt-get', 'dnf', 'apk', 'pacman', 'zypper'].find((name) => findProgram(name))?.replace('-get', '');
  return missing.map((what) => {
    const how = howToInstall[system]?.[what];
    return how ? `${what}  →  ${how}` : what;
  });
}

/**
 * node-gyp downloads Node's headers unless it is told where they are. Many installations of Node carry them, and then
 * compiling needs no network.
 */
function compileEnvironment() {
  // node-gyp compiles one file after the other unless it is told otherwise.
  const environment = { JOBS: 'max', ...process.env };
  if (environment.npm_config_nodedir) return environment;
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  const versionFile = join(prefix, 'include', 'node', 'node_version.h');
  if (!existsSync(versionFile)) return environment;
  const major = /#define NODE_MAJOR_VERSION (\d+)/.exec(readFileSync(versionFile, 'utf8'))?.[1];
  if (major !== process.versions.node.split('.')[0]) return environment;
  return { ...environment, npm_config_nodedir: prefix };
}

function npm(...args) {
  const options = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const env = compileEnvironment();
  // Started through npm, this is the very npm that the user runs; a plain `node scripts/setup.mjs` takes the one on the PATH.
  const program = process.env.npm_execpath;
  if (program && /npm-cli\.c?js$/.test(program)) {
    return capture(process.execPath, [program, ...args, ...options], { env });
  }
  return capture('npm', [...args, ...options], { env, shell: process.platform === 'win32' });
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Whether node_modules holds what the lock file names. npm keeps its own record of what it installed. */
function isInstalled() {
  const wanted = readLock('package-lock.json');
  const present = readLock('node_modules/.package-lock.json');
  if (!wanted || !present) return false;
  const satisfied = Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const there = present[path];
    if (path === '' || (!there && optional)) return true;
    return there?.version === version && there.integrity === integrity;
  });
  return satisfied && Object.keys(present).every((path) => path in wanted);
}

/** Tries the one package with a compiled part of its own making: it depends on the Node that runs it. */
async function databaseLoads() {
  const attempt = "new (require('better-sqlite3'))(':memory:').close()";
  return (await capture(process.execPath, ['-e', attempt])).code === 0;
}

function explainInstallFailure(output) {
  // npm ends some messages with all of its options.
  const [said] = output.replace(/^npm notice.*\n?/gm, '').split(/^npm error\s*\nnpm error (?:Clean install|Usage)/m);
  return new SetupError(
    `The packages could not be installed.\n\n${said.trimEnd()}\n\n${installAdvice(output)}`.trimEnd(),
  );
}

function installAdvice(output) {
  if (/code EUSAGE/.test(output)) {
    return 'package.json names other packages than package-lock.json. "npm install" brings them together.';
  }
  if (/gyp ERR|node-gyp|better-sqlite3/.test(output)) {
    const missing = missingBuildTools();
    return missing.length > 0
      ? `The database driver had to be compiled, and this is missing:\n  ${missing.join('\n  ')}\nInstall it and run the command again.`
      : 'The database driver could not be compiled; the messages above say why.';
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/.test(output)) {
    return 'The package registry could not be reached. Check the network, or the proxy and registry settings of npm.';
  }
  return '';
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

const lockedDriver = () => readLock('package-lock.json')['node_modules/better-sqlite3'];

async function takeDriver() {
  const locked = lockedDriver();
  if (!takeCompiledDriver(locked)) return false;
  if (await databaseLoads()) return true;
  forgetCompiledDriver(locked);
  return false;
}

async function compileDriver() {
  await step('Getting the database driver for this Node.js (compiling it takes a minute or two)', async () => {
    const { code, output } = await npm('rebuild', 'better-sqlite3');
    if (code !== 0 || !(await databaseLoads())) throw explainInstallFailure(`better-sqlite3\n${output}`);
  });
  keepCompiledDriver(lockedDriver());
}

/** `packagesAreThere` is called when the packages are, and before the driver is compiled, which takes longest. */
async function install(packagesAreThere) {
  const stamp = {
    machine: `${process.platform}-${process.arch}`,
    lock: fingerprintOfContents('package-lock.json'),
    abi: process.versions.modules,
  };
  const before = readStamp();
  if (Object.entries(stamp).every(([member, value]) => before[member] === value)) return packagesAreThere();
  // A folder shared between machines, with a container for one, holds the other machine's programs.
  const foreign = before.machine !== undefined && before.machine !== stamp.machine;
  if (foreign || !isInstalled()) {
    const missing = missingBuildTools();
    if (missing.length > 0) {
      note(dim('Only needed if no ready-made database driver fits this machine:'));
      for (const line of missing) note(dim(`  ${line}`));
    }
    await step('Installing packages', async () => {
      // Scripts of packages do not run: the one that is needed is asked for below.
      const { code, output } = await npm('ci', '--include=dev', '--ignore-scripts');
      if (code !== 0) throw explainInstallFailure(output);
    });
  }
  await packagesAreThere();
  if (!(await databaseLoads()) && !(await takeDriver())) await compileDriver();
  writeFileSync(stampFile, JSON.stringify(stamp));
}

/** Makes the checkout ready. `packagesAreThere` may begin what needs no more than the packages. */
export async function setup(packagesAreThere = () => {}) {
  checkNode();
  await install(packagesAreThere);
  await build();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) setup().catch(fail);
