import { expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { recordAnnouncements, watchForButton } from '../support/announcements.ts';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import type { ContractClient } from '../support/host-contract.ts';
import { changeLive, holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { publishTags } from '../support/publish-tags.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';
import { makeSource, repeatTags } from '../support/synthetic-source.ts';

const wrongKey = 'abcd-efgh-ijkl-mnop';
/** Small enough for a slow computer. */
const profiles = [
  { name: 'Middle', bitrate: 200_000, fps: 0, width: 256, height: 144 },
  { name: 'Small', bitrate: 120_000, fps: 0, width: 228, height: 128 },
];

let ui: BrowserUi;
let socket: PageSocket;
let studio: ReturnType<typeof studioPage>;
let contract: ContractClient;

shareBrowserUi(
  {
    size: smallPage,
    prepare: async (page) => {
      socket = await holdPageSocket(page);
    },
  },
  async (opened) => {
    ui = opened;
    contract = await ui.contract();
  },
);

/** Creates a stream and opens its Studio on a fresh page. */
async function openStudioOf(name: string, ladder: typeof profiles = []) {
  const stream = await ui.createStream({ name, profiles: ladder });
  await ui.renewPage(stream.hash);
  studio = studioPage(ui.page);
  await ui.page.getByRole('heading', { name, level: 1 }).waitFor();
  return stream;
}

const publishWith = (streamKey: string) => startFfmpegPublisher(`${ui.host.ready.ingestBaseUrl}/${streamKey}`);

/** How the page reports a wrong key. */
const usedWrongKey = / used a wrong stream key \d+\ss ago$/;

test('off air, a wrong key is reported in place of the picture, with a button that copies the right one', async () => {
  const { streamKey } = await openStudioOf('Mistyped');
  expect((await publishWith(wrongKey).ended).exitCode).not.toBe(0);
  await studio.monitor.getByText(usedWrongKey).waitFor();
  await studio.monitor.getByText(/rom this computer\. Paste this stream's key into it\.$/).waitFor();
  // It says so for two seconds.
  const hasSaidSo = await watchForButton(ui.page, 'Copied');
  await studio.monitor.getByRole('button', { name: 'Copy the key' }).click();
  await expect.poll(hasSaidSo).toBe(true);
  expect(await ui.readClipboard()).toBe(streamKey);
});

test('while the publisher is lost, a wrong key is reported above the monitor, and stays dismissed', async () => {
  const { streamKey, hash } = await openStudioOf('Lost and mistyped');
  const publisher = publishWith(streamKey);
  await studio.seePicture();
  expect(await ui.page.getByRole('main').getByText(usedWrongKey).count()).toBe(0);
  await publisher.kill();
  await studio.state('Signal lost').waitFor();
  await publishWith(wrongKey).ended;
  const notice = ui.page.getByRole('main').getByText(usedWrongKey);
  await notice.waitFor();
  const [said, picture] = await Promise.all([notice.boundingBox(), studio.monitor.boundingBox()]);
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThan(picture?.y ?? 0);
  await expect.poll(() => ui.page.getByRole('main').getByRole('button', { name: 'Copy the key' }).count()).toBe(1);

  await ui.page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
  const heardBefore = socket.heard.length;
  await publishWith(wrongKey).ended;
  // The page has received the next attempt.
  const newTry = () =>
    socket.heard.slice(heardBefore).some((message) => /"count":2,"reason":{"code":"wrong-key"}/.test(message));
  await expect.poll(newTry).toBe(true);
  await ui.page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await notice.count()).toBe(0);
  await ui.goTo('#/settings');
  await studio.state('Signal lost').waitFor();
  await ui.goTo(hash);
  await studio.monitor.waitFor();
  expect(await notice.count()).toBe(0);
  await studio.stopBroadcast();
});

test('a suspended stream that refuses a publisher can be resumed from the off-air screen', async () => {
  const { id, streamKey } = await openStudioOf('Paused for now');
  await contract.stream.update({ streamId: id, changes: { suspended: true } });
  await studio.state('Suspended').waitFor();
  const heard = await recordAnnouncements(ui.page);
  await publishWith(streamKey).ended;
  await publishWith(streamKey).ended;
  await studio.monitor.getByText(/ was refused \d+\ss ago$/).waitFor();
  await studio.monitor.getByText(/^Twice, from this computer\. This stream is suspended\.$/).waitFor();
  await expect.poll(heard).toEqual([expect.stringMatching(/^status: .+ was refused\. This stream is suspended\.$/)]);
  // Anybody's wrong key is the newest refusal, and takes nothing from the screen.
  await publishWith(wrongKey).ended;
  await ui.page.getByText(/ used a wrong stream key \d+\ss ago$/).waitFor();
  await studio.monitor.getByText('Suspended', { exact: true }).waitFor();
  await studio.monitor.getByRole('button', { name: 'Resume' }).click();
  await studio.state('Off air').waitFor();
  await studio.monitor.getByText(/This stream is suspended/).waitFor({ state: 'detached' });
});

test('Studio shows that it waits for the first keyframe, and where OBS sets the interval', async () => {
  const { streamKey } = await openStudioOf('Long keyframe interval');
  const isKeyframe = ({ kind, body }: FlvTag) => kind === 'video' && body[0] === 0x17 && body[1] === 1;
  const source = await makeSource({ rate: '15', gopFrames: 15 });
  let sendsKeyframes = false;
  /** Each is asked for when it is due. */
  function* choose() {
    for (const tag of repeatTags(source, 4)) if (sendsKeyframes || !isKeyframe(tag)) yield tag;
  }
  const target = { port: Number(new URL(ui.host.ready.ingestBaseUrl).port), streamKey };
  // Stop closes the connection of the publisher.
  const ended = expect(publishTags(target, choose())).rejects.toMatchObject({ kind: 'refused' });
  await studio.monitor.getByText('Waiting for a keyframe', { exact: true }).waitFor();
  await studio.health.getByRole('heading', { name: 'Waiting for a keyframe' }).waitFor();
  await studio.health.getByText(/Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\ss/).waitFor();
  sendsKeyframes = true;
  await studio.seePicture();
  await expect.poll(() => studio.health.getByRole('heading', { name: 'Waiting for a keyframe' }).count()).toBe(0);
  await studio.stopBroadcast();
  await ended;
});

test('the advice to turn off a rendition has a button that does it on air, and another that turns it back on', async () => {
  const { playbackId, streamKey } = await openStudioOf('Too much', profiles);
  await using _publisher = publishWith(streamKey);
  await studio.seePicture();
  const setUp = ui.page.getByRole('region', { name: 'Set-up' });
  await setUp.getByText('2 running', { exact: true }).waitFor();
  const leaveOut = studio.health.getByRole('button', { name: 'Turn off “Middle”' });
  expect(await leaveOut.count()).toBe(0);
  // A test cannot make a computer too slow on demand, so it changes the verdict that the page gets.
  const tooSlow = { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: false, remedy: 'fewer-renditions' } as const;
  socket.rewrite = changeLive({ verdict: tooSlow });
  // The button is then one for the next costliest. The second half of a double press hits that one: in this page no time passes.
  await ui.page.evaluate(() => {
    const atMs = performance.now();
    performance.now = () => atMs;
  });
  await leaveOut.click();
  await studio.health.getByRole('button', { name: 'Turn off “Small”' }).click();
  await ui.page.evaluate(() => Reflect.deleteProperty(performance, 'now'));
  await setUp.getByText('1 running · 1 turned off', { exact: true }).waitFor();
  const readMiddle = async () => {
    const text = await (await fetch(`${ui.host.ready.playbackBaseUrl}/${playbackId}/middle/index.m3u8`)).text();
    return readPlaylist(text).segments.at(-1)?.gap;
  };
  await expect.poll(readMiddle, { timeout: 60_000 }).toBe(true);
  // The next costliest rendition is offered.
  await studio.health.getByRole('button', { name: 'Turn off “Small”' }).waitFor();

  socket.rewrite = (message) => message;
  await studio.health.getByRole('button', { name: 'Turn “Middle” back on' }).click();
  await setUp.getByText('2 running', { exact: true }).waitFor();
  await expect.poll(readMiddle, { timeout: 60_000 }).toBe(false);
  await expect.poll(() => studio.health.getByRole('button', { name: /^Turn .*“/ }).count()).toBe(0);
  await studio.stopBroadcast();
});
