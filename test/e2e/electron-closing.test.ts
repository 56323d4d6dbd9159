import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Electron from 'electron';
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { electronBinary, runElectronHost } from '../support/electron-host.ts';
import { answerQuestions, onAirQuestion, readQuestions } from '../support/electron-questions.ts';
import { closeWindow, editPort, makeAppFolder, openedPage, regionOn, startApp } from '../support/electron-stage.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

const unsaved = {
  message: "Your changes to the settings aren't saved.",
  detail: 'Closing Tallylight discards them.',
  buttons: ['Keep editing', 'Discard and close'],
  hasVisibleParent: true,
};

/** Takes a new stream on air without encoding anything, by clicks. */
async function goLive(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New stream' }).click();
  const { name, ladder, create } = streamsPage(page);
  await name.fill('Sunday show');
  await ladder('Source only').click();
  await create.click();
  await studioPage(page).goLive.click();
  await studioPage(page).timer.waitFor();
}

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

  test('the end of npm start closes the app without asking, with unsaved settings or before it has started', async ({
    expect,
  }) => {
    await using app = await startApp();
    const { host } = app;
    await editPort(await openedPage(host));
    // Its channel to the app closes; a test has none to real Electron.
    await host.inMain(() => void setImmediate(() => process.emit('disconnect')));
    expect(await host.exited).toBe(0);

    const folder = await makeAppFolder();
    await using _ = { [Symbol.asyncDispose]: folder.remove };
    expect(await runElectronHost(folder.environment, { leaves: true })).toMatchObject({ code: 0 });
  });

  test('with unsaved settings, the menu asks before it reloads the screens, and follows the answer', async ({ expect }) => {
    await using app = await startApp();
    const { host } = app;
    const page = await openedPage(host);
    const pressReload = () =>
      host.inMain(({ BrowserWindow, Menu }) => {
        const [window] = BrowserWindow.getAllWindows();
        const menus = Menu.getApplicationMenu()?.items ?? [];
        // A submenu is a menu in Electron, and the list it was built from in the stand-in.
        const items = menus.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : (submenu?.items ?? [])));
        const item = items.find(({ label, role }) => label === 'Reload' || role === 'reload');
        if (item?.click === undefined) window!.webContents.reload();
        else item.click(item, window, {});
      });
    const question = {
      message: "Your changes to the settings aren't saved.",
      detail: 'Reloading the screens discards them.',
      buttons: ['Keep editing', 'Discard and reload'],
      hasVisibleParent: true,
    };
    await editPort(page);
    await answerQuestions(host, 'Keep editing');
    await pressReload();
    await expect.poll(() => readQuestions(host)).toEqual([question]);
    await page.getByText('Unsaved changes').waitFor();

    await answerQuestions(host, 'Discard and reload');
    const reloaded = page.waitForEvent('load');
    await pressReload();
    await reloaded;
    await regionOn(page).waitFor();
    expect([await readQuestions(host), await page.getByText('Unsaved changes').count()]).toEqual([[question], 0]);
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
    await goLive(page);
    await editPort(page);

    await answerQuestions(host, 'Keep streaming');
    await closeWindow(host);
    await expect.poll(() => readQuestions(host)).toEqual([onAirQuestion]);
    await answerQuestions(host, 'Stop and quit', 'Keep editing');
    await closeWindow(host);
    expect(await host.exited).toBe(0);
  });

  test('screens that keep crashing are back after a quit that the user takes back while on air', async ({ expect }) => {
    await using app = await startApp();
    const { host } = app;
    const page = await openedPage(host);
    await goLive(page);
    await answerQuestions(host, 'Quit', 'Keep streaming');
    const reloaded = page.waitForEvent('load');
    await host.inMain(({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      const { reload } = webContents;
      // The page only seems to crash, and the reloads of the first five are not needed.
      webContents.reload = () => {};
      for (let count = 0; count < 6; count += 1)
        webContents.emit('render-process-gone', { preventDefault() {} }, { reason: 'crashed', exitCode: 1 });
      webContents.reload = reload;
    });
    await reloaded;
    await regionOn(page).waitFor();
    expect((await readQuestions(host)).map(({ message }) => message)).toEqual([
      'The screens keep crashing.',
      'You are on air.',
    ]);
  });

  test('a start while the app is closing starts it again afterwards', async ({ expect }) => {
    await using app = await startApp();
    const { host } = app;
    await openedPage(host);
    await host.inMain(({ app, BrowserWindow }) => {
      app.relaunch = () => void process.stderr.write('Started again\n');
      const [window] = BrowserWindow.getAllWindows();
      window!.once('closed', () => app.emit('second-instance', { preventDefault() {} }, [], '', {}));
      window!.close();
    });
    expect(await host.exited).toBe(0);
    expect(host.stderr()).toContain('Started again');
  });

  test('after a bug the window closes without asking, and a start does not wait until the message box is answered', async ({
    expect,
  }) => {
    await using app = await startApp();
    const { host } = app;
    await goLive(await openedPage(host));
    const asked = await host.inMain(
      ({ app, BrowserWindow, dialog }) =>
        new Promise<string[]>((resolve) => {
          app.relaunch = () => void process.stderr.write('Started again\n');
          const messages: string[] = [];
          dialog.showMessageBox = (...given: unknown[]) => {
            messages.push((given.at(-1) as Electron.MessageBoxOptions).message);
            if (messages.length === 1) {
              BrowserWindow.getAllWindows()[0]!.close();
              resolve(messages);
            }
            // Nobody answers.
            return new Promise(() => {});
          };
          setImmediate(() => {
            throw new Error('A bug.');
          });
        }),
    );
    expect(asked).toEqual(['Tallylight ended because of an internal error']);
    await host.inMain(({ app }) => void setImmediate(() => app.emit('second-instance', { preventDefault() {} }, [], '', {})));
    expect(await host.exited).toBe(1);
    expect(host.stderr()).toContain('Started again');
  });
});
