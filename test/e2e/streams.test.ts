import { beforeEach, expect, test } from 'vitest';
import { profileBounds } from '../../src/shared/model/profile.ts';
import { type BrowserUi, readAddress, smallPage } from '../support/browser-ui.ts';
import { holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { makeStream, streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let streams: ReturnType<typeof streamsPage>;
/** The address bar after the printed URL has opened the screens. */
let openedAt: string;

shareBrowserUi({}, async (opened) => {
  ui = opened;
  openedAt = (await readAddress(ui.page)).href;
});
beforeEach(async () => {
  await ui.renewPage();
  streams = streamsPage(ui.page);
});

test('the first stream is one click away and opens its Studio; the address bar no longer has the token', async () => {
  expect(openedAt).not.toContain('token');
  await streams.makeFirst.waitFor();
  await ui.page.setViewportSize({ width: 360, height: 740 });
  const main = ui.page.getByRole('main');
  expect(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await ui.page.setViewportSize({ width: 1440, height: 900 });
  await streams.makeFirst.click();
  await ui.page.getByRole('heading', { name: 'My stream', level: 1 }).waitFor();
  expect((await readAddress(ui.page)).hash).toMatch(/^#\/studio\/[0-9a-f-]{36}$/);
  await expect.poll(() => ui.page.title()).toBe('Off air — My stream');
});

test('Create stays enabled, shows every error under its field and moves the focus to the first', async () => {
  await ui.goTo('#/streams/new');
  await streams.ladder('Custom').click();
  await streams.rendition(2).getByRole('textbox', { name: 'Height' }).fill('127');
  await expect.poll(() => streams.rendition(2).getByText('Use 128 to 8\u202f192.').isVisible()).toBe(true);
  expect(await streams.dialog.getByText('Give the stream a name.').count()).toBe(0);
  await streams.create.click();
  await expect.poll(() => streams.dialog.getByText('Give the stream a name.').isVisible()).toBe(true);
  await ui.page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  expect(await streams.name.evaluate((field) => field === document.activeElement)).toBe(true);
  await streams.name.fill('Radio club');
  await expect.poll(() => streams.dialog.getByText('Give the stream a name.').count()).toBe(0);
  await streams.create.click();
  await ui.page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await ui.page.keyboard.press('Escape');
  await streams.dialog.waitFor({ state: 'detached' });
});

test('one Escape closes the shortcuts and returns the focus', async () => {
  await ui.goTo('#/streams');
  await streams.heading.waitFor();
  const opener = ui.page.getByRole('main').getByRole('button', { name: 'New stream' });
  await opener.focus();
  await ui.page.keyboard.press('?');
  const shortcuts = ui.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByRole('button', { name: 'Close' }).and(ui.page.locator(':focus')).waitFor();
  await ui.page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
  await opener.and(ui.page.locator(':focus')).waitFor();
});

test('after Create the new stream has the focus, and its buttons come next: it is edited without leaving Studio', async () => {
  await ui.goTo('#/streams/new');
  await streams.name.fill('Focus');
  await streams.create.click();
  await ui.page.getByRole('heading', { name: 'Focus', level: 1 }).waitFor();
  await ui.page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await ui.page.keyboard.press('Tab');
  const focused = () => ui.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await focused()).toBe('Edit stream');

  // Studio stays, and with it a broadcast's monitor.
  await ui.page.keyboard.press('Enter');
  const editing = ui.page.getByRole('dialog', { name: 'Edit stream' });
  await editing.getByLabel('Name').fill('Sharp');
  // Studio's keys aren't those of a dialog.
  await ui.page.keyboard.press('Control+Enter');
  await editing.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByRole('heading', { name: 'Sharp', level: 1 }).waitFor();
  await editing.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Edit stream');
  await ui.page.getByRole('button', { name: 'Go live' }).waitFor();
});

test('a custom ladder is saved as typed, in kbit/s', async () => {
  await ui.goTo('#/streams/new');
  await streams.name.fill('Radio club');
  await streams.ladder('Custom').click();
  await streams.dialog.getByRole('button', { name: 'Remove rendition 3' }).click();
  await streams.rendition(1).getByRole('textbox', { name: 'Name' }).fill('Large');
  await streams.rendition(1).getByRole('textbox', { name: 'Bitrate' }).fill('2 500');
  await streams.rendition(2).getByRole('textbox', { name: 'Name' }).fill('Small');
  await streams.dialog.getByRole('textbox', { name: 'Frame rate of all renditions' }).fill('25');
  await streams.create.click();
  await ui.page.getByRole('heading', { name: 'Radio club', level: 1 }).waitFor();
  const key = await ui.host.createApiKey();
  const answer = await fetch(`${ui.host.ready.apiBaseUrl}/stream?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  const [stream] = (await answer.json()) as { profiles: unknown }[];
  expect(stream?.profiles).toEqual([
    { name: 'Large', bitrate: 2_500_000, fps: 25, width: 1280, height: 720 },
    { name: 'Small', bitrate: 1_600_000, fps: 25, width: 854, height: 480 },
  ]);
});

test('Add rendition keeps the focus when the ladder is full', async () => {
  await ui.goTo('#/streams/new');
  await streams.ladder('Custom').click();
  const add = streams.dialog.getByRole('button', { name: 'Add rendition' });
  const removes = streams.dialog.getByRole('button', { name: /^Remove rendition / });
  await removes.first().waitFor();
  await add.focus();
  while ((await removes.count()) < profileBounds.profilesPerStream) await ui.page.keyboard.press('Enter');
  expect(await add.isDisabled()).toBe(true);
  await ui.page.keyboard.press('Enter');
  expect(await add.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await removes.count()).toBe(profileBounds.profilesPerStream);
});

test('a stream is renamed, suspended and resumed from its menu', async () => {
  await makeStream(ui, 'Rehearsal');
  await ui.goTo('#/streams');
  await streams.choose('Rehearsal', 'Edit…');
  await streams.name.fill('Dress rehearsal');
  await streams.save.click();
  await streams.link('Dress rehearsal').waitFor();
  await streams.choose('Dress rehearsal', 'Suspend');
  await streams.row('Dress rehearsal').getByText('Suspended', { exact: true }).waitFor();
  await streams.choose('Dress rehearsal', 'Resume');
  await streams.row('Dress rehearsal').getByText('Off air', { exact: true }).waitFor();
});

test('a new key needs confirmation, is copied without being shown, and differs from the old one', async () => {
  await makeStream(ui, 'Leaked');
  const studio = studioPage(ui.page);
  const reveal = async () => {
    await studio.showKey();
    return studio.value('Stream key').textContent();
  };
  const before = await reveal();
  await ui.goTo('#/streams');
  await streams.choose('Leaked', 'New key…');
  await streams.question.getByRole('button', { name: 'Create new key' }).click();
  const shown = ui.page.getByRole('dialog', { name: 'New key for Leaked' });
  await shown.getByRole('button', { name: 'Copy stream key' }).click();
  await ui.page.getByText('Stream key copied').first().waitFor();
  const copied = await ui.readClipboard();
  expect(copied).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  expect(copied).not.toBe(before);
  // Viewers of a shared screen must not read the new key, too.
  expect(await shown.innerHTML()).not.toContain(copied);
  expect(await studio.value('Stream key').textContent()).toBe('••••-••••-••••-••••');
  expect(await reveal()).toBe(copied);
  await shown.getByRole('button', { name: 'Done' }).click();
  await streams.link('Leaked').click();
  await ui.page.getByRole('heading', { name: 'Leaked', level: 1 }).waitFor();
  expect(await reveal()).toBe(copied);
});

test('Delete names the stream and what will be lost, and does nothing until confirmed', async () => {
  await makeStream(ui, 'Doomed');
  await ui.goTo('#/streams');
  await streams.choose('Doomed', 'Delete…');
  await streams.question.getByRole('heading', { name: 'Delete Doomed?' }).waitFor();
  await expect.poll(() => streams.question.getByText(/stream key, playback URL/).isVisible()).toBe(true);
  await streams.question.getByRole('button', { name: 'Cancel' }).click();
  await streams.question.waitFor({ state: 'detached' });
  await expect.poll(() => streams.row('Doomed').count()).toBe(1);
  await streams.choose('Doomed', 'Delete…');
  await streams.question.getByRole('button', { name: 'Delete stream' }).click();
  // As long as it is open, no row behind it has a role.
  await streams.question.waitFor({ state: 'detached' });
  await streams.row('Doomed').waitFor({ state: 'detached' });
  // The button that asked is gone: the focus stays on the screen.
  await ui.page.waitForFunction(() => document.activeElement?.tagName === 'MAIN');
});

test('a question about a stream follows it, and goes with it', async () => {
  const { id } = await ui.createStream({ name: 'Asked about' });
  await ui.goTo('#/streams');
  await streams.choose('Asked about', 'Delete…');
  await streams.question.getByRole('heading', { name: 'Delete Asked about?' }).waitFor();
  const { stream } = await ui.contract();
  await stream.update({ streamId: id, changes: { name: 'Renamed meanwhile' } });
  await streams.question.getByRole('heading', { name: 'Delete Renamed meanwhile?' }).waitFor();
  await stream.delete({ streamId: id });
  await streams.question.waitFor({ state: 'detached' });
});

test('an open Studio reports that its stream was deleted', async () => {
  await makeStream(ui, 'Short lived');
  const { stream } = await ui.contract();
  await stream.delete({ streamId: (await readAddress(ui.page)).hash.split('/').at(-1) ?? '' });
  await ui.page.getByRole('heading', { name: 'Stream not found' }).waitFor();
});

test('a list of 20 streams or more can be searched by name', async () => {
  await ui.goTo('#/streams');
  await streams.heading.waitFor();
  const rows = ui.page.getByRole('main').getByRole('row');
  const search = ui.page.getByRole('searchbox', { name: 'Find a stream' });
  await rows.or(streams.makeFirst).first().waitFor();
  // One row is the header.
  const known = Math.max(0, (await rows.count()) - 1);
  const make = (number: number) => ui.createStream({ name: `Number ${number}` });
  for (let number = known + 1; number <= 19; number += 1) await make(number);
  await streams.link('Number 19').waitFor();
  expect(await search.count()).toBe(0);
  await make(20);
  await search.fill('NUMBER 20');
  await ui.page.getByRole('status').getByText('1 found', { exact: true }).waitFor();
  await expect.poll(() => rows.count()).toBe(2);
  await expect.poll(() => streams.link('Number 20').isVisible()).toBe(true);
  await search.fill('Nobody');
  await ui.page.getByText('No stream matches.', { exact: true }).waitFor();
  await search.fill('');
  await streams.link('Number 19').waitFor();
});

test('how long ago a stream was seen is the same in the list and beside it, whenever it changes', async () => {
  await ui.createStream({ name: 'Seen lately' });
  // It is a minute at the first count after the page has opened.
  const seenAt = Date.now() - 58_500;
  const page = await ui.openPage('#/streams', async (opened) => {
    const socket = await holdPageSocket(opened);
    socket.rewrite = (message) => message.replaceAll('"lastSeen":0', `"lastSeen":${seenAt}`);
  });
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /Seen lately/ });
  await link.filter({ hasText: '1\u00a0min' }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Seen lately' });
  expect(await row.textContent()).toContain('1\u00a0min ago');
  await page.close();
});

test('why a stream far down the list was not suspended comes into sight', async () => {
  for (let number = 0; number < 15; number += 1) await ui.createStream({ name: `Row ${number}` });
  let socket!: PageSocket;
  const page = await ui.openPage('#/streams', async (opened) => {
    await opened.setViewportSize(smallPage);
    socket = await holdPageSocket(opened);
  });
  const list = streamsPage(page);
  // The newest is the first.
  await list.link('Row 0').waitFor();
  await socket.lose();
  await list.choose('Row 0', 'Suspend');
  const refusal = page.getByRole('main').getByRole('alert').getByText("Can't reach the service.");
  await refusal.waitFor();
  await expect.poll(async () => ((await refusal.boundingBox())?.y ?? -1) >= 0).toBe(true);
  await page.close();
});

test('a Create whose answer is lost says that the stream may be there, and still does when the service is back', async () => {
  let socket!: PageSocket;
  const page = await ui.openPage('#/streams/new', async (opened) => {
    socket = await holdPageSocket(opened);
  });
  const list = streamsPage(page);
  await list.name.fill('Unanswered');
  await list.ladder('Source only').click();
  const release = socket.hold();
  await list.create.click();
  await expect.poll(() => socket.said.filter((said) => said.includes('/stream/create')).length).toBe(1);
  await socket.lose();
  const sentence = list.dialog.getByText("The service didn't answer. Look for the stream before you create another.");
  await sentence.waitFor();
  release();
  socket.isOpen = true;
  // The service had created it. Behind the dialog, the page has no roles.
  const rail = page.getByRole('navigation', { name: 'Screens', includeHidden: true });
  await rail.getByRole('link', { name: 'Unanswered', includeHidden: true }).waitFor({ state: 'attached' });
  expect(await sentence.count()).toBe(1);
  await page.close();
});
