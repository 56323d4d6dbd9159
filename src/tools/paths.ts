import { fileURLToPath } from 'node:url';

/** The folder with package.json. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The built headless host and command line. */
export const headlessHost: string = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url));
export const commandLine: string = fileURLToPath(new URL('../../out/main/tallylight.js', import.meta.url));

/** electron-vite's program, which builds the app and runs it with live reload. */
export const electronVite: string = fileURLToPath(
  new URL('../../node_modules/electron-vite/bin/electron-vite.js', import.meta.url),
);
