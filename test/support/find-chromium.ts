import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where Chromium-based browsers that decode H.264 are installed; Playwright's own does not. */
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

const namesOnPath = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

/** The Chromium that end-to-end tests run in: the one `TALLYLIGHT_CHROMIUM` names, else the first one installed. */
export function findChromium(): string | undefined {
  const asked = process.env.TALLYLIGHT_CHROMIUM;
  if (asked) return existsSync(asked) ? asked : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(fixedPaths[process.platform] ?? []), ...onPath].find((path) => existsSync(path));
}

/** {@link findChromium}, or an error that says how to install one. */
export function getChromium(): string {
  const path = findChromium();
  if (path === undefined) {
    throw new Error(
      'No Chromium was found: install it (Debian and Ubuntu: apt-get install chromium), or set TALLYLIGHT_CHROMIUM',
    );
  }
  return path;
}
