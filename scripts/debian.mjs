import { capture, findProgram } from './report.mjs';

/** At this level of the system packages do not start their services as they are installed. */
const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } };

export const mayInstallPackages = () => process.getuid?.() === 0 && findProgram('apt-get') !== undefined;

let listed;
let before = Promise.resolve();

/** Installs packages of Debian, if it can. One installation runs at a time: apt-get refuses a second one. */
export function installPackages(...names) {
  const installed = before.then(async () => {
    listed ??= capture('apt-get', ['update', '--quiet'], options);
    await listed;
    await capture('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', ...names], options);
  });
  before = installed;
  return installed;
}
