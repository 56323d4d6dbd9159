import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { droppedFilesMessage } from '../../src/shared/dropped-files.ts';
import { type SoundInput, testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { countAlerts, recordAnnouncements } from '../support/announcements.ts';
import { type BrowserUi, openBrowserUi, readAddress, smallPage } from '../support/browser-ui.ts';
import { lightEncode } from '../support/light-encode.ts';
import { loopedFile } from '../support/looped-file.ts';
import { changeLive, holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { retrying } from '../support/sending-stand.ts';
import { studioPage } from '../support/studio-page.ts';
import { keepWakeLocks } from '../support/wake-locks.ts';

const mediaFolder = fileURLToPath(new URL('../fixtures/media', import.meta.url));

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let folder: string;
let streams = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-files-'));
  ui = await openBrowserUi({ size: smallPage });
});
// Errors, and violations of the Content-Security-Policy.
afterEach(() => {
  expect(ui.complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  streams += 1;
  const { hash } = await ui.createStream({ name: `Show ${streams}` });
  await ui.renewPage(hash);
  studio = studioPage(ui.page);
  await studio.goLive.waitFor();
});

/** Goes live with the test picture, however small, and waits until the page shows it. */
async function goLiveLightly(source = testSource): Promise<void> {
  const streamId = (await readAddress(ui.page)).hash.split('/').at(-1) ?? '';
  const { broadcast } = await ui.contract();
  await broadcast.goLive({ streamId, source, encode: lightEncode });
  onTestFinished(async () => {
    await broadcast.stop({ streamId });
  });
  await studio.state('On air').waitFor();
}

test('the test picture plays in the monitor with its latency in parts, Stop ends it, and going live again shows the picture without a reload', async () => {
  await ui.page.evaluate(() => Object.assign(window, { wasReloaded: false }));
  await studio.goLive.click();
  await studio.state('On air').waitFor();
  await studio.seePicture();
  await expect.poll(() => ui.page.title()).toBe(`On air — Show ${streams}`);
  await expect.poll(() => studio.timer.textContent()).toMatch(/^00:00:\d\d$/);
  await expect.poll(() => studio.latency.textContent()).toMatch(/^\d+\.\d\ss behind you$/);
  await expect.poll(() => studio.monitor.getByText('720p', { exact: true }).isVisible()).toBe(true);
  expect(await ui.page.locator('video').evaluate((video) => (video as HTMLVideoElement).muted)).toBe(true);
  // Its tone, beside the picture that may be muted.
  const readPeaks = (bars: Element[]) => bars.map((bar) => `${bar.ariaLabel} ${bar.ariaValueText}`);
  const peak = (side: string) => expect.stringMatching(new RegExp(`^${side} −[23]\\d(\\.\\d)? dBTP$`));
  await expect.poll(() => studio.peaks.evaluateAll(readPeaks)).toEqual([peak('Left'), peak('Right')]);
  // In a window as small as this, health is below the picture: the keyboard goes on there, too.
  await ui.page.getByRole('button', { name: 'Show health' }).click();
  expect(await studio.health.evaluate((panel) => panel === document.activeElement)).toBe(true);

  await studio.stop.click();
  await studio.question.getByText('The broadcast ends for viewers.', { exact: true }).waitFor();
  await studio.question.getByRole('button', { name: 'Stop the broadcast' }).click();
  await studio.monitor.getByText('Off air', { exact: true }).waitFor();
  // There was no publisher to refuse.
  expect(await studio.monitor.getByRole('button', { name: 'Allow it' }).count()).toBe(0);
  expect(await studio.monitor.getByText(/refused/).count()).toBe(0);
  await expect.poll(() => studio.sessions.filter({ hasText: 'You stopped it' }).count()).toBe(1);

  await studio.goLive.click();
  await studio.seePicture();
  expect(await ui.page.evaluate(() => Reflect.get(window, 'wasReloaded'))).toBe(false);
  await expectLatencyParts();
  await studio.stopBroadcast();
});

/** The latency opens into parts that are all measured and add up to it. */
async function expectLatencyParts(): Promise<void> {
  let text = '';
  const read = async () => {
    [text = ''] = await studio.lookAtLatency((parts) => parts.allTextContents());
    return text;
  };
  await expect.poll(read).toMatch(/^\d+\.\d\ss behind you.*Delivery to the player/s);
  const ms = Object.fromEntries(
    ['Encode', 'Upload', 'Packaging', 'Player buffer', 'Delivery to the player'].map((name) => [
      name,
      Number(new RegExp(`${name}([\\d\\s]+)\\sms`).exec(text)?.[1]?.replaceAll(/\s/g, '')),
    ]),
  );
  const totalMs = Number.parseFloat(text) * 1000;
  expect(Object.values(ms).every((part) => part >= 0)).toBe(true);
  expect(Object.values(ms).reduce((sum, part) => sum + part, 0)).toBeGreaterThanOrEqual(totalMs - 55);
  expect(ms.Encode).toBeGreaterThan(0);
  expect(ms.Packaging).toBeGreaterThan(0);
  await ui.page.keyboard.press('Escape');
}

test('a file chosen from its folder is broadcast and plays', async () => {
  const dialog = await studio.browseTo(mediaFolder);
  await dialog.getByRole('button', { name: /^eight-seconds\.flv/ }).click();
  await dialog.getByRole('button', { name: 'Add the file' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => studio.filePath.inputValue()).toBe(join(mediaFolder, 'eight-seconds.flv'));
  await studio.goLive.click();
  await studio.seePicture();
  await expect
    .poll(() => ui.page.getByRole('region', { name: 'Set-up' }).getByText('eight-seconds.flv').isVisible())
    .toBe(true);
  await studio.stopBroadcast();
});

test('by keyboard, files are found, moved and removed one after another without losing the focus', async () => {
  const names = ['a.mp4', 'b.mp4', 'c.mp4'];
  for (const name of names) await writeFile(join(folder, name), '');
  const dialog = await studio.browseTo('/');
  const up = dialog.getByRole('button', { name: 'Open the folder above' });
  await expect.poll(() => up.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: /^tmp/ }).click();
  await expect.poll(() => up.isEnabled()).toBe(true);
  // The pressed folder went with its list: the dialog takes the focus, and once more in the next frame, whatever has it by then.
  await ui.page.evaluate(() => new Promise(requestAnimationFrame));
  await up.press('Enter');
  // Nothing is above.
  await expect.poll(() => up.isDisabled()).toBe(true);
  expect(await up.evaluate((button) => button === document.activeElement)).toBe(true);
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(folder);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  for (const name of names) await dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await dialog.getByRole('button', { name: 'Add 3 files' }).click();
  await dialog.waitFor({ state: 'detached' });

  const rows = ui.page.getByRole('list', { name: 'Files, in the order they play' }).getByRole('listitem');
  const focused = () => ui.page.evaluate(() => document.activeElement?.ariaLabel);
  await ui.page.getByRole('button', { name: 'Play c.mp4 earlier' }).focus();
  for (const order of [['a.mp4', 'c.mp4', 'b.mp4'], ...Array(2).fill(['c.mp4', 'a.mp4', 'b.mp4'])]) {
    await ui.page.keyboard.press('Enter');
    await expect.poll(() => rows.allTextContents()).toEqual(order);
    expect(await focused()).toBe('Play c.mp4 earlier');
  }
  await ui.page.getByRole('button', { name: 'Remove b.mp4' }).focus();
  await ui.page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Remove a.mp4');
  await ui.page.keyboard.press('Enter');
  await expect.poll(() => studio.filePath.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await studio.filePath.inputValue()).toBe(join(folder, 'c.mp4'));
});

test('Studio shows why a file cannot be played, with the output of ffmpeg, and recovers with another source', async () => {
  const file = join(folder, 'words.mp4');
  await writeFile(file, 'These are words, not a film.');
  await studio.source('File').click();
  await studio.goLive.click();
  await expect.poll(() => ui.page.getByText('Choose a file, or type its path.').isVisible()).toBe(true);
  expect(await studio.filePath.evaluate((field) => field === document.activeElement)).toBe(true);
  const gone = join(folder, 'gone.mp4');
  await studio.filePath.fill(gone);
  await studio.goLive.click();
  await ui.page.getByText(`There is no file ${gone}. Check its full path, or browse to it.`, { exact: true }).waitFor();
  await expect.poll(() => studio.filePath.getAttribute('aria-invalid')).toBe('true');
  expect(await studio.trouble.count()).toBe(0);
  await studio.filePath.fill(file);
  await studio.goLive.click();
  await studio.trouble.waitFor();
  await studio.whatFfmpegSaid.click();
  await expect.poll(() => studio.ffmpegLines.textContent()).not.toBe('');
  await expect.poll(() => studio.state('Off air').isVisible()).toBe(true);
  expect(await studio.trouble.textContent()).not.toContain('Try again');
  await studio.source('Test picture').click();
  await studio.goLive.click();
  await studio.seePicture();
  await studio.trouble.waitFor({ state: 'detached' });
  await studio.stopBroadcast();
});

const unreadable = "ffmpeg can't read this file. It may be damaged, or neither a video nor a picture.";

test('a Go live that fails is announced once, and once more if it fails again', async () => {
  const file = join(folder, 'told-once.mp4');
  await writeFile(file, 'These are words, not a film.');
  const count = await countAlerts(ui.page, unreadable);
  const isSaid = ui.page.locator('[data-announcer="assertive"]', { hasText: unreadable });
  await studio.source('File').click();
  await studio.filePath.fill(file);
  await studio.goLive.click();
  await studio.trouble.getByText(unreadable).waitFor();
  await isSaid.waitFor();
  expect(await count()).toBe(1);
  await ui.page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(count).toBe(2);
  await studio.trouble.getByText(unreadable).waitFor();
  await isSaid.waitFor();
  expect(await count()).toBe(2);
});

test('a failure that ends a broadcast is announced once, although the card of the lost broadcast has it, too', async () => {
  let socket!: PageSocket;
  const { id: streamId, hash } = await ui.createStream({ name: 'Will fail' });
  const page = await ui.openPage(hash, async (opened) => {
    socket = await holdPageSocket(opened);
  });
  await studioPage(page).goLive.waitFor();
  const count = await countAlerts(page, unreadable);
  const [at, failure] = [Date.now(), { code: 'file-unreadable' } as const];
  const ended = {
    oneClick: { kind: 'failed', source: loopedFile('/film.mp4'), at, failure, stderr: [] },
    verdict: { code: 'go-live-failed', severity: 'bad', failure },
    lost: {
      sessionId: 'lost',
      startedAt: at - 9_000,
      endedAt: at,
      onAirMs: 9_000,
      reason: 'encoder-failed',
      severity: 'bad',
      failure,
    },
  } satisfies Partial<StreamLive>;
  socket.rewrite = changeLive(ended);
  const { stream } = await ui.contract();
  await stream.update({ streamId, changes: { name: 'Has failed' } });
  const main = page.getByRole('main');
  await main.getByText(/^Your broadcast ended at /).waitFor();
  await main.getByText(/^The broadcast failed at /).waitFor();
  await page.locator('[data-announcer="assertive"]', { hasText: unreadable }).waitFor();
  expect(await main.getByText(unreadable).count()).toBeGreaterThanOrEqual(2);
  expect(await count()).toBe(1);
  // It failed again, and the page has learned of nothing in between.
  ended.oneClick.at += 60_000;
  await stream.update({ streamId, changes: { name: 'Has failed again' } });
  await expect.poll(count).toBe(2);
  await page.close();
});

test("Stop asks nothing while another program is on air at a service that one click hasn't got through to", async () => {
  await goLiveLightly();
  const page = await ui.openPage((await readAddress(ui.page)).hash, async (opened) => {
    const socket = await holdPageSocket(opened);
    socket.rewrite = changeLive({ service: { name: 'Away', clockAheadMs: 0 }, oneClick: retrying });
  });
  const { strip, stop } = studioPage(page);
  await strip.getByText('on Away').waitFor();
  await stop.click();
  // The page whose facts are true.
  await studio.goLive.waitFor();
  await page.close();
});

test('what another page could not broadcast is what Try again tries here, and nothing else', async () => {
  const file = join(folder, 'no-film.mp4');
  await writeFile(file, 'These are words, not a film.');
  const streamId = (await readAddress(ui.page)).hash.split('/').at(-1) ?? '';
  const contract = await ui.contract();
  await contract.broadcast.goLive({ streamId, source: loopedFile(file) });
  await studio.trouble.waitFor();
  await expect.poll(() => studio.filePath.inputValue()).toBe(file);
  expect(await studio.source('File').isChecked()).toBe(true);
  const chooseAnother = ui.page.getByRole('button', { name: 'Choose another file' });
  await chooseAnother.click();
  await expect.poll(() => studio.filePath.inputValue()).toBe('');
  await expect.poll(() => studio.filePath.evaluate((field) => field === document.activeElement)).toBe(true);

  // What is chosen since then stays, also when Studio is opened again. It has no file to replace.
  await studio.source('Test picture').click();
  await expect.poll(() => chooseAnother.count()).toBe(0);
  await ui.goTo('#/settings');
  await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await ui.goTo(`#/studio/${streamId}`);
  await studio.trouble.waitFor();
  expect(await studio.source('Test picture').isChecked()).toBe(true);

  await contract.broadcast.goLive({ streamId, source: loopedFile(file) });
  await expect.poll(() => studio.source('File').isChecked()).toBe(true);
});

test('after a failure, the file of a start that was refused is what the next Go live takes', async () => {
  const file = join(folder, 'no-film.mp4');
  await writeFile(file, 'These are words, not a film.');
  await studio.source('File').click();
  await studio.filePath.fill(file);
  await studio.goLive.click();
  await studio.trouble.waitFor();
  const gone = join(folder, 'not-there.mp4');
  await studio.filePath.fill(gone);
  await studio.goLive.click();
  await ui.page.getByText(`There is no file ${gone}. Check its full path, or browse to it.`, { exact: true }).waitFor();
  await studio.trouble.waitFor({ state: 'detached' });
  expect(await studio.filePath.inputValue()).toBe(gone);
});

test('a missing music file is named in a notice, not at the file of the picture', async () => {
  const [film, song] = [join(folder, 'film-with-song.mp4'), join(folder, 'song.mp3')];
  await writeFile(film, 'These are words, not a film.');
  await writeFile(song, 'Nor is this a song.');
  const streamId = (await readAddress(ui.page)).hash.split('/').at(-1) ?? '';
  const { broadcast } = await ui.contract();
  const music: SoundInput = { of: { kind: 'files', paths: [song], loops: true }, levelDb: 0, isMuted: false };
  await broadcast.goLive({ streamId, source: { ...loopedFile(film), sound: { inputs: [music], limits: false } } });
  await ui.page.getByText(/^The broadcast failed at /).waitFor();
  await expect.poll(() => studio.filePath.inputValue()).toBe(film);
  await rm(song);
  await studio.goLive.click();
  const refusal = `There is no file ${song}. Check its full path, or browse to it.`;
  await studio.trouble.getByText(refusal, { exact: true }).waitFor();
  expect(await ui.page.getByText(refusal, { exact: true }).count()).toBe(1);
  expect(await studio.filePath.getAttribute('aria-invalid')).not.toBe('true');
  expect(await studio.filePath.evaluate((field) => field === document.activeElement)).toBe(false);
});

test('a video dropped onto the window leaves the still for when its card is chosen again', async () => {
  await studio.source('Still picture').click();
  await studio.filePath.fill('/a.png');
  // As the preload of the app does: only it knows the paths.
  await ui.page.evaluate((kind) => window.postMessage({ kind, paths: ['/a.mp4'] }), droppedFilesMessage);
  await expect.poll(() => studio.filePath.inputValue()).toBe('/a.mp4');
  await studio.source('Still picture').click();
  await expect.poll(() => studio.filePath.inputValue()).toBe('/a.png');
});

test('copy buttons copy the real values and confirm it; the key is copied without being shown', async () => {
  await studio.copy('ingest URL').click();
  await ui.page.getByText('Ingest URL copied').first().waitFor();
  expect(await ui.readClipboard()).toBe(ui.host.ready.ingestBaseUrl);
  const ingest = ui.page.getByRole('group', { name: 'Ingest URL' });
  expect(await ingest.getByText('Works on this computer only.', { exact: true }).count()).toBe(1);
  await studio.copy('playback URL').click();
  await ui.page.getByText('Playback URL copied').first().waitFor();
  const playback = ui.page.getByRole('group', { name: 'Playback URL' });
  await expect.poll(() => playback.getByText('Works on this computer only.', { exact: true }).isVisible()).toBe(true);
  expect(await ui.readClipboard()).toMatch(new RegExp(`^${ui.host.ready.playbackBaseUrl}/[a-z0-9]{16}/index\\.m3u8$`));
  await studio.copy('stream key').click();
  await ui.page.getByText('Stream key copied').first().waitFor();
  const key = await ui.readClipboard();
  expect(key).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
  expect(await ui.page.content()).not.toContain(key);
  expect(await ui.page.title()).not.toContain(key);

  await studio.showKey();
  await expect.poll(() => studio.value('Stream key').textContent()).toBe(key);
  // Its name says what it does: "Hide, pressed" would say the opposite.
  expect(await studio.hide.getAttribute('aria-pressed')).toBe(null);
  await ui.page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await studio.reveal.waitFor();
  expect(await ui.page.content()).not.toContain(key);
});

test('Studio shows that a stream is suspended, disables Go live, and can resume it', async () => {
  const streamId = (await readAddress(ui.page)).hash.split('/').at(-1) ?? '';
  const { stream } = await ui.contract();
  await stream.update({ streamId, changes: { suspended: true } });
  await studio.state('Suspended').waitFor();
  await expect.poll(() => studio.goLive.getAttribute('aria-disabled')).toBe('true');
  await ui.page.getByRole('button', { name: 'Resume' }).click();
  await studio.state('Off air').waitFor();
  await expect.poll(() => studio.goLive.getAttribute('aria-disabled')).toBe(null);
});

test('a monitor that is heard on the computer whose sound goes out says that viewers may hear it again', async () => {
  const of = { kind: 'system', device: { id: 'gone.monitor', name: 'Speakers' } } as const;
  await goLiveLightly({ ...testSource, sound: { inputs: [{ of, levelDb: 0, isMuted: false }], limits: false } });
  const note = studio.monitor.getByRole('status').filter({ hasText: 'Viewers may hear this again' });
  await studio.monitor.getByRole('button', { name: 'Unmute' }).click();
  await note.waitFor();
  await studio.monitor.getByRole('button', { name: 'Mute' }).click();
  await note.waitFor({ state: 'detached' });
});

test('Ctrl+Enter goes live and keeps the computer awake; Ctrl+. asks first, stops when pressed again, and lets it sleep', async () => {
  const readAnnouncements = await recordAnnouncements(ui.page);
  const { untilHeld } = await keepWakeLocks(ui.page);
  await ui.page.keyboard.press('Control+Enter');
  await untilHeld(1);
  await studio.state('On air').waitFor();
  await expect.poll(readAnnouncements).toContain(`status: Show ${streams}: On air`);
  // Any sooner, this would count as a second press of Go live.
  await ui.page.waitForTimeout(1_500);
  await ui.page.keyboard.press('Control+.');
  await studio.question.waitFor();
  // Elements behind a dialog have no role.
  await expect.poll(() => ui.page.locator('header').getByText('On air', { exact: true }).isVisible()).toBe(true);
  await ui.page.keyboard.press('Escape');
  await studio.question.waitFor({ state: 'detached' });
  // In full screen, the question couldn't be seen.
  await studio.monitor.hover();
  await studio.monitor.getByRole('button', { name: 'Full screen' }).click();
  await ui.page.waitForFunction(() => document.fullscreenElement !== null);
  await ui.page.keyboard.press('Control+.');
  await studio.question.waitFor();
  await ui.page.waitForFunction(() => document.fullscreenElement === null);
  await ui.page.keyboard.press('Control+.');
  await studio.goLive.waitFor();
  await untilHeld(0);
});

test('a double press of Go live goes live once and stops nothing, by pointer and by keyboard', async () => {
  await studio.goLive.dblclick();
  await studio.seePicture();
  expect(await studio.question.count()).toBe(0);
  await studio.stopBroadcast();
  await studio.goLive.focus();
  await ui.page.keyboard.press('Enter');
  await ui.page.keyboard.press('Enter');
  await studio.stop.waitFor();
  expect(await studio.stop.evaluate((button) => button === document.activeElement)).toBe(false);
  await studio.seePicture();
  await studio.stopBroadcast();
});

test('Enter again after the question of Stop does not go live again, by whatever key it was answered', async () => {
  await ui.page.emulateMedia({ reducedMotion: 'reduce' });
  const streamId = (await readAddress(ui.page)).hash.split('/').at(-1) ?? '';
  const contract = await ui.contract();
  const press = (key: string) => ui.page.keyboard.press(key);
  const untilFocused = (text: string) =>
    expect.poll(() => ui.page.evaluate(() => document.activeElement?.textContent)).toBe(text);
  for (const answer of [['Tab', 'Enter'], ['Control+.']]) {
    await contract.broadcast.goLive({ streamId, source: testSource });
    await studio.state('On air').waitFor();
    await studio.stop.focus();
    await press('Enter');
    await untilFocused('Cancel');
    // Cancel returns to Stop.
    await press('Enter');
    await untilFocused('Stop');
    await press('Enter');
    await untilFocused('Cancel');
    for (const key of answer) await press(key);
    await studio.goLive.waitFor();
    await press('Enter');
    await ui.page.waitForTimeout(1_000);
    expect(await studio.state('Off air').isVisible()).toBe(true);
  }
});

test('a Stop that is confirmed over another dialog leaves the focus in that dialog', async () => {
  await goLiveLightly();
  await ui.page.keyboard.press('?');
  const shortcuts = ui.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.waitFor();
  await ui.page.keyboard.press('Control+.');
  await expect.poll(() => ui.page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await ui.page.keyboard.press('Control+.');
  // Elements behind a dialog have no role.
  await ui.page.locator('header').getByText('Go live', { exact: true }).waitFor();
  await expect.poll(() => shortcuts.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
});

test('a list that opens over a dialog is not hidden from screen readers', async () => {
  await goLiveLightly();
  await ui.page.getByRole('button', { name: 'Change source' }).click();
  await ui.page.getByRole('dialog').getByRole('combobox', { name: 'Add a sound' }).click();
  await ui.page.getByRole('option').first().waitFor();
});

test('a press meant for Stop does not go live if the broadcast ended just before it', async () => {
  const streamId = (await readAddress(ui.page)).hash.split('/').at(-1) ?? '';
  const contract = await ui.contract();
  await contract.broadcast.goLive({ streamId, source: testSource });
  await studio.state('On air').waitFor();
  await ui.page.evaluate(() => {
    const pressAtOnce = new MutationObserver(() => {
      const goLive = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Go live');
      if (goLive === undefined) return;
      pressAtOnce.disconnect();
      goLive.click();
    });
    pressAtOnce.observe(document, { subtree: true, childList: true, characterData: true });
  });
  await contract.broadcast.stop({ streamId });
  await studio.goLive.waitFor();
  // As long as a press counts as meant for Stop.
  await ui.page.waitForTimeout(1_500);
  expect(await studio.state('Off air').isVisible()).toBe(true);
  await studio.goLive.click();
  await studio.stop.waitFor();
  await contract.broadcast.stop({ streamId });
});

test('a revealed key hides by itself after 15 s', async () => {
  // The test sets the page's time once the key is shown: with its time stopped, a page that has lost contact would not get the key.
  const page = await ui.openPage((await readAddress(ui.page)).hash, (opened) => opened.clock.install());
  // Playwright's clock applies to all pages of the browser, and has to run for the tests that follow.
  onTestFinished(() => page.clock.resume());
  const other = studioPage(page);
  await other.reveal.waitFor();
  const now = () => page.evaluate(() => Date.now());
  const pressedAtMs = await now();
  await other.showKey();
  const shownAtMs = await now();
  await page.clock.pauseAt(pressedAtMs + 14_900);
  await expect.poll(() => other.hide.count()).toBe(1);
  await page.clock.runFor(shownAtMs + 15_100 - (await now()));
  await other.reveal.waitFor();
  await expect.poll(() => other.value('Stream key').textContent()).toBe('••••-••••-••••-••••');
});
