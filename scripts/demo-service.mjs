// The demo as a service that tools of others ask: `muster demo` on a free port, with hosts, rules and a login.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './report.mjs';

/** Starts it in a folder, which gets its database; answers where it is and who may log in, or what it said instead. */
export function startDemo(directory) {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
  const service = spawn(process.execPath, [join(root, 'bin', 'muster'), 'demo', '--http-port', '0'], {
    cwd: directory,
    env: { ...Object.fromEntries(environment), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  async function stop() {
    service.kill('SIGTERM');
    if (service.exitCode === null) await new Promise((resolve) => service.once('exit', resolve));
  }
  return new Promise((resolve) => {
    let output = '';
    const read = (data) => {
      output += data;
      const [, url] = /serves (http:\/\/\S+)/.exec(output) ?? [];
      const [, user, password] = /^\s+login\s+(\S+) \/ (\S+)$/m.exec(output) ?? [];
      if (url && user) resolve({ url, user, password, output, stop });
    };
    service.stdout.on('data', read);
    service.stderr.on('data', read);
    service.once('exit', () => resolve({ output, stop: async () => {} }));
  });
}
