import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { awaitEncoders, goLive } from '../support/electron-broadcast.ts';
import { type ElectronHost, electronBinary } from '../support/electron-host.ts';
import { answerQuestions, onAirQuestion, readQuestions } from '../support/electron-questions.ts';
import { closeWindow, editPort, openedPage, startApp } from '../support/electron-stage.ts';
import { isRunning } from '../support/is-running.ts';

const emitSessionEnd = (host: ElectronHost) =>
  host.inMain(({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]!.emit('session-end')));

describe(`The desktop app's end, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  test('while on air it asks first; Keep streaming changes nothing, Stop and quit ends service and ffmpeg in under 5 s', async () => {
    await using app = await startApp();
    const { host } = app;
    const page = await openedPage(host);
    await goLive(page, 'Sunday show');
    const encoders = await awaitEncoders(host);

    await answerQuestions(host, 'Keep streaming');
    await closeWindow(host);
    await expect.poll(() => readQuestions(host)).toEqual([onAirQuestion]);
    const playedSeconds = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
    await page.waitForFunction((before) => (document.querySelector('video')?.currentTime ?? 0) > before + 1, playedSeconds);
    expect([encoders.every(isRunning), await page.getByRole('button', { name: 'Stop' }).isVisible()]).toEqual([true, true]);

    await answerQuestions(host, 'Stop and quit');
    await host.inMain(({ app }) => app.quit());
    const askedAtMs = Date.now();
    expect(await host.exited).toBe(0);
    expect(Date.now() - askedAtMs).toBeLessThan(5_000);
    expect(encoders.filter(isRunning)).toEqual([]);
  });

  test.each<[what: string, endIt: (host: ElectronHost) => unknown]>([
    ['SIGTERM', (host) => host.signal('SIGTERM')],
    ['SIGINT', (host) => host.signal('SIGINT')],
    ['the end of the Windows session', emitSessionEnd],
  ])('%s while on air, with unsaved settings, exits with 0 in under 5 s, without asking', async (_what, endIt) => {
    await using app = await startApp();
    const page = await openedPage(app.host);
    await goLive(page, 'Sunday show');
    const encoders = await awaitEncoders(app.host);
    await editPort(page);
    const endedAtMs = Date.now();
    await endIt(app.host);
    expect(await app.host.exited).toBe(0);
    expect(Date.now() - endedAtMs).toBeLessThan(5_000);
    expect(encoders.filter(isRunning)).toEqual([]);
  });
});

test('the app survives the loss of its output; a bug exits with 1 in under 5 s, even if not everything can be closed', async () => {
  await using app = await startApp();
  const { host, folder } = app;
  await openedPage(host);
  const lost = () =>
    host.inMain(() => [process.stdout, process.stderr].map((output) => output.emit('error', new Error('write EPIPE'))));
  expect(await lost()).toEqual([true, true]);
  const endedAtMs = Date.now();
  await host.inMain(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    DatabaseSync.prototype.close = () => {
      throw new Error('The store cannot be closed.');
    };
    setImmediate(() => {
      throw new Error('A bug.');
    });
  });
  expect(await host.exited).toBe(1);
  expect(Date.now() - endedAtMs).toBeLessThan(5_000);
  const logs = join(folder.path, 'logs');
  expect(host.stderr()).toContain(
    'Tallylight ended because of an internal error: Broadcasts that were on air have ended. Start Tallylight and go live again. ' +
      `The log in ${logs} says what happened.`,
  );
  const fatal = readdirSync(logs)
    .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'))
    .filter((line) => line.includes('"level":60'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(fatal).toEqual(['Tallylight ended because of an internal error.', 'Tallylight could not close everything.']);
});
