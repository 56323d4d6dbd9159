import { existsSync } from 'node:fs';
import { listOnPath } from '../../src/service/lib/list-on-path.ts';

/** The paths of Chromium-based browsers that decode H.264; Playwright's own Chromium doesn't. */
const fixedPaths: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** The headless shell first: the same engine without a browser's windows starts at less than half the cost. */
const namesOnPath = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
];

/** The Chromium that end-to-end tests run in: the one `TALLYLIGHT_CHROMIUM` names, else the first one installed. */
export function findChromium(): string | undefined {
  const asked = process.env.TALLYLIGHT_CHROMIUM;
  if (asked) return existsSync(asked) ? asked : undefined;
  const fixed = (fixedPaths[process.platform] ?? []).filter((path) => existsSync(path));
  return [...fixed, ...namesOnPath.flatMap((name) => listOnPath(name))][0];
}

/** {@link findChromium}, or an error that says how to install one. */
export function getChromium(): string {
  const path = findChromium();
  if (path === undefined) {
    throw new Error(
      'No Chromium was found: install it (Debian: apt-get install chromium-headless-shell), or set TALLYLIGHT_CHROMIUM',
    );
  }
  return path;
}
