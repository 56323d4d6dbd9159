import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { electronBinary } from '../support/electron-host.ts';
import { answerQuestions, onAirQuestion, readQuestions } from '../support/electron-questions.ts';
import { closeWindow, editPort, openedPage, startApp } from '../support/electron-stage.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

const unsaved = {
  message: "Your changes to the settings aren't saved.",
  detail: 'Closing Tallylight discards them.',
  buttons: ['Keep editing', 'Discard and close'],
  hasVisibleParent: true,
};

describe(`Closing the desktop app, on ${electronBinary ?? "Electron's stand-in"}`, () => {
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
    await expect.poll(() => readQuestions(host)).toEqual([onAirQuestion]);
    await answerQuestions(host, 'Stop and quit', 'Keep editing');
    await closeWindow(host);
    expect(await host.exited).toBe(0);
  });
});
