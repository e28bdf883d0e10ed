#!/usr/bin/env node
// Finds a Chromium for the browser tests, or gets one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages, mayInstallPackages } from './debian.mjs';
import { capture, fail, findProgram, root, SetupError, step } from './report.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function systemChromium() {
  return findProgram(...names) ?? applications.find((path) => existsSync(path));
}

async function playwrightChromium() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}

async function downloadWithPlaywright() {
  const cli = join(root, 'node_modules/playwright/cli.js');
  const { code } = await capture(process.execPath, [cli, 'install', 'chromium'], { timeout: 180_000 });
  return code === 0 ? playwrightChromium() : undefined;
}

async function installFromDistribution() {
  if (!mayInstallPackages()) return undefined;
  await installPackages('chromium');
  return systemChromium();
}

/**
 * Begins to get a Chromium where none is there and the distribution has one; other things can be done beside it. The answer
 * waits for its path. The download by Playwright needs the installed packages, so it is the last that is tried.
 */
export function prepareChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new SetupError(`CHROMIUM_PATH names ${named}, and there is no such file.`);
  const present = named || systemChromium();
  if (present) return async () => present;
  const installed = installFromDistribution();
  installed.catch(() => undefined);
  return async () => {
    const ready = await playwrightChromium();
    if (ready) return ready;
    return step('Getting a Chromium for the browser tests', async () => {
      const path = (await installed) ?? (await downloadWithPlaywright());
      if (path) return path;
      throw new SetupError(
        'The browser tests need a Chromium, and none could be found or downloaded.\n' +
          'Install one (Debian, Ubuntu: apt-get install chromium) or name it: CHROMIUM_PATH=/path/to/chromium npm test',
      );
    });
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  Promise.resolve()
    .then(() => prepareChromium()())
    .then((path) => console.log(path), fail);
}
