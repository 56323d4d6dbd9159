import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, protocol } from 'electron';
import { collectRarely } from '../service/lib/heap-growth.ts';
import { openLog } from '../service/lib/log.ts';
import { surviveLostOutput } from '../service/lib/lost-output.ts';
import { makeFolder } from '../service/lib/make-folder.ts';
import { sentenceOf } from '../service/lib/read-error.ts';
import { type AppEnvironment, readAppEnvironment } from './app-environment.ts';
import { appScheme } from './app-url.ts';
import { printLastWords, sayLastWords } from './last-words.ts';
import { leaveOutOwnSound } from './own-sound.ts';
import { runApp } from './run-app.ts';
import { completeWaylandSession } from './wayland-session.ts';

surviveLostOutput(process);
collectRarely();

leaveOutOwnSound();
Object.assign(process.env, completeWaylandSession(process.platform, process.env));

protocol.registerSchemesAsPrivileged([
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

// Windows groups the window, its notifications and its taskbar entry by this.
app.setAppUserModelId('app.tallylight.desktop');

const couldNotStart = 'Tallylight could not start';

/** Explains why the app can't start, and quits. */
function fail(reason: string): void {
  let folder: string;
  try {
    folder = makeTemporaryFolder();
  } catch {
    // Chromium shows no message box without it.
    printLastWords(couldNotStart, reason);
    app.exit(1);
    return;
  }
  // Chromium can't use a broken data folder.
  app.setPath('userData', folder);
  // Before the app is ready, Linux shows no message box; and it is ready only after this module has run.
  app.once('ready', async () => {
    await sayLastWords(couldNotStart, reason);
    rmSync(folder, { recursive: true, force: true });
    app.exit(1);
  });
}

/** @throws the file system's own error */
function makeTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tallylight-'));
}

/** @throws the file system's own error if nothing can be written in `folder` */
function checkWritable(folder: string): void {
  const path = join(folder, `write-test-${process.pid}`);
  try {
    // A full disk still takes an empty file.
    writeFileSync(path, '.');
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Quits because the single-instance lock was refused: another Tallylight has it, or Chromium can't use a folder that it needs. Only the
 * latter is reported to the user.
 *
 * @throws the file system's own error if that is `chromiumFolder`
 */
function leave(chromiumFolder: string): void {
  checkWritable(chromiumFolder);
  try {
    // Test the temporary folder, since Chromium's socket is there.
    rmSync(makeTemporaryFolder(), { recursive: true });
  } catch (error) {
    fail(`Tallylight can't use the temporary folder ${tmpdir()}: ${sentenceOf(error)}.`);
    return;
  }
  app.exit(0);
}

/** @throws whatever keeps the data folder from being used */
async function start({ dataFolder, level, secrets }: AppEnvironment): Promise<void> {
  // Chromium's own data; the single instance lock depends on this folder.
  const chromiumFolder = join(dataFolder, 'chromium');
  makeFolder(chromiumFolder);
  app.setPath('userData', chromiumFolder);
  if (app.requestSingleInstanceLock()) {
    const logFolder = join(dataFolder, 'logs');
    const { log } = await openLog({
      folder: logFolder,
      level,
      terminal: process.stderr.isTTY ? process.stderr : undefined,
    });
    runApp({
      dataFolder,
      logFolder,
      pageFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
      iconPath: fileURLToPath(new URL('../../resources/icon.png', import.meta.url)),
      preloadPath: fileURLToPath(new URL('../preload/index.cjs', import.meta.url)),
      // Only during development: the address of Vite's page with live reload.
      developmentUrl: import.meta.env.DEV ? process.env.ELECTRON_RENDERER_URL : undefined,
      secrets,
      log,
    });
  } else {
    leave(chromiumFolder);
  }
}

try {
  const environment = readAppEnvironment(process.env);
  await start(environment).catch((error: unknown) => {
    fail(`Tallylight can't use the data folder ${environment.dataFolder}: ${sentenceOf(error)}.`);
  });
} catch (error) {
  fail(sentenceOf(error));
}
