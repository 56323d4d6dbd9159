import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { awaitEncoders, goLive } from '../support/electron-broadcast.ts';
import { electronBinary } from '../support/electron-host.ts';
import { answerQuestions, readQuestions } from '../support/electron-questions.ts';
import { closeWindow, editPort, openedPage, startApp } from '../support/electron-stage.ts';
import { isRunning } from '../support/is-running.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

const onAir = {
  message: 'You are on air.',
  detail: 'Sunday show: closing Tallylight ends the broadcast for everyone watching.',
  buttons: ['Keep streaming', 'Stop and quit'],
  hasVisibleParent: true,
};
const unsaved = {
  message: "Your changes to the settings aren't saved.",
  detail: 'Closing Tallylight discards them.',
  buttons: ['Keep editing', 'Discard and close'],
  hasVisibleParent: true,
};

describe(`Closing the desktop app, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  test('while on air it asks first; Keep streaming changes nothing, Stop and quit ends service and ffmpeg in under 5 s', async ({
    expect,
  }) => {
    await using app = await startApp();
    const { host } = app;
    const page = await openedPage(host);
    await goLive(page, 'Sunday show');
    const encoders = await awaitEncoders(host);

    await answerQuestions(host, 'Keep streaming');
    await closeWindow(host);
    await expect.poll(() => readQuestions(host)).toEqual([onAir]);
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

  test('with unsaved settings, closing the window or quitting asks first, and follows the answer', async ({ expect }) => {
    await using app = await startApp();
    const { host } = app;
    const page = await openedPage(host);
    await editPort(page);

    await answerQuestions(host, 'Keep editing');
    await closeWindow(host);
    await expect.poll(() => readQuestions(host)).toEqual([unsaved]);
    await host.inMain(({ app }) => app.quit());
    await expect.poll(() => readQuestions(host)).toEqual([unsaved, unsaved]);
    await page.getByText('Unsaved changes').waitFor();

    await answerQuestions(host, 'Discard and close');
    await closeWindow(host);
    expect(await host.exited).toBe(0);
  });

  test("while on air it asks only about that, even if settings are unsaved and a full disk prevents saving the window's position", async ({
    expect,
  }) => {
    await using app = await startApp();
    const { host, folder } = app;
    // A folder of the same name makes the write fail, as a full disk would.
    await mkdir(join(folder.path, 'window.json.new'));
    const page = await openedPage(host);
    await page.getByRole('link', { name: 'New stream' }).click();
    const { name, ladder, create } = streamsPage(page);
    await name.fill('Sunday show');
    await ladder('Source only').click();
    await create.click();
    await studioPage(page).goLive.click();
    await studioPage(page).timer.waitFor();
    await editPort(page);

    await answerQuestions(host, 'Keep streaming');
    await closeWindow(host);
    await expect.poll(() => readQuestions(host)).toEqual([onAir]);
    await answerQuestions(host, 'Stop and quit', 'Keep editing');
    await closeWindow(host);
    expect(await host.exited).toBe(0);
  });
});
