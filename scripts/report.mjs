import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** A failure whose message is all that a person needs: no stack is shown for it. */
export class SetupError extends Error {}

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = (text) => paint('1', text);
export const dim = (text) => paint('2', text);
export const red = (text) => paint('31', text);
export const green = (text) => paint('32', text);

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export function note(text) {
  console.log(`  ${text}`);
}

/** Says what is going on, and how long it took when it is done. */
export async function step(title, work) {
  const started = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`  ${dim('…')} ${title}`);
  const finish = (mark, text) => {
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
    console.log(`  ${mark} ${text} ${dim(`(${seconds(performance.now() - started)})`)}`);
  };
  try {
    const result = await work();
    finish(green('✓'), title);
    return result;
  } catch (error) {
    finish(red('✗'), title);
    throw error;
  }
}

/** Runs a program quietly; its output is kept for the case that it fails. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.stderr.on('data', (data) => {
      output += data;
    });
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trimEnd() }));
  });
}

/** Runs a program whose output goes straight to the person who waits for it. */
export function stream(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** The first of these programs that is on the PATH, without starting any of them. */
export function findProgram(...names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      for (const ending of endings) {
        const path = join(folder, name + ending);
        if (folder && existsSync(path)) return path;
      }
    }
  }
  return undefined;
}

/** Ends a script: a SetupError is printed as it is, anything else with its stack. */
export function fail(error) {
  console.error(`\n${red('Stopped.')} ${error instanceof SetupError ? error.message : (error?.stack ?? error)}`);
  process.exitCode = 1;
}
