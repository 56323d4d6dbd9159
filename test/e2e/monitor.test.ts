import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { clipping, startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { changeLive, holdPageSocket, type PageSocket, soundClips } from '../support/page-socket.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

/** Small enough for a slow computer. */
const profiles = [
  { name: 'Middle', bitrate: 200_000, fps: 0, width: 256, height: 144 },
  { name: 'Small', bitrate: 120_000, fps: 0, width: 228, height: 128 },
];

let ui: BrowserUi;
let studioHash: string;
let publisher: ReturnType<typeof startFfmpegPublisher>;

shareBrowserUi({ size: smallPage }, async (opened) => {
  ui = opened;
  const { hash, ingestUrl } = await ui.createStream({ name: 'Ladder', profiles });
  studioHash = hash;
  publisher = startFfmpegPublisher(ingestUrl);
});
afterAll(async () => {
  await publisher.kill();
});

/** A new page that plays the broadcast. */
async function openMonitor() {
  const page = await ui.openPage(studioHash);
  const studio = studioPage(page);
  await studio.seePicture();
  return { page, studio, [Symbol.asyncDispose]: () => page.close() };
}

/** How far behind live the picture is, in seconds, by the Rewind slider. */
const readBehind = async ({ rewind }: ReturnType<typeof studioPage>) =>
  Number(/^(\d+)\ss behind live$/.exec((await rewind.getAttribute('aria-valuetext')) ?? '')?.[1] ?? 0);

/** A rewound picture that stalls on a busy computer falls back by as long; less than a step of the slider. */
const lagSeconds = 9;

/** Resolves when the Rewind slider is in this range, in seconds. */
const untilBehind = (page: Page, from: number, to: number) =>
  page.waitForFunction(
    ([least, most]) => {
      const text = document.querySelector('input[aria-label="Rewind"]')?.getAttribute('aria-valuetext') ?? '';
      const behind = Number(/^(\d+)\ss behind live$/.exec(text)?.[1] ?? (text === 'Live' ? 0 : Number.NaN));
      return behind >= (least as number) && behind <= (most as number);
    },
    [from, to],
  );

/** Resolves when the picture is live, and moves. */
async function seeLive({ page, studio }: Pick<Awaited<ReturnType<typeof openMonitor>>, 'page' | 'studio'>) {
  await untilBehind(page, 0, 0);
  await studio.latency.waitFor();
  await studio.seePicture();
}

test('every rendition shows its state, and measured values beside the configured ones', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await studio.openDetails();
  const renditions = studio.health.getByRole('region', { name: 'Renditions' }).getByRole('listitem');
  for (const { name, width, height, bitrate } of profiles) {
    const row = renditions.filter({ hasText: name });
    await row
      .filter({ hasText: 'Running' })
      .filter({ hasText: ` of ${bitrate / 1000} kbit/s` })
      .waitFor();
    await row.filter({ hasText: /15\sfps · keyframes 1\.0\ss/ }).waitFor();
    await expect.poll(() => row.getByText(`${width} × ${height}`, { exact: true }).count()).toBe(1);
  }
  await page.getByRole('region', { name: 'Set-up' }).getByText('2 running', { exact: true }).waitFor();
  await expect.poll(() => studio.fact('Rendition segments').textContent()).toMatch(/^\d+ of \d+$/);
});

test('the viewer chooses a rendition, sees it, and returns to automatic choice', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  const choose = async (name: RegExp) => {
    await studio.quality.click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  await choose(/^Small 228 × 128/);
  await page.waitForFunction(() => document.querySelector('video')?.videoHeight === 128);
  await studio.seePicture();
  await expect.poll(() => studio.quality.getAttribute('aria-label')).toBe('Quality: Small · 128p');
  await choose(/^Automatic/);
  await page.locator('[aria-label^="Quality: Auto · "]').waitFor();
  await studio.seePicture();
});

test('the quality is never cut off, from the smallest phone to a large screen', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await page.locator('[aria-label^="Quality: Auto · "]').waitFor();
  const rest = studio.quality.locator('span').last();
  const isWhole: boolean[] = [];
  for (const width of [320, 360, 390, 480, 560, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    expect([width, await studio.quality.evaluate((button) => button.scrollWidth > button.clientWidth)]).toEqual([width, false]);
    isWhole.push(await rest.isVisible());
  }
  expect([isWhole[0], isWhole.at(-1)]).toEqual([false, true]);
});

test('without capture times from the publisher, latency counts from ingest, and opens into its parts', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  const parts = page.getByRole('dialog', { name: /^\d+\.\d\ss behind your encoder$/ });
  await expect
    .poll(() => studio.lookAtLatency(() => parts.getByRole('term').allTextContents()))
    .toEqual([
      'Encode',
      'Upload',
      'Packaging',
      'Player buffer',
      expect.stringMatching(/^(Delivery to the player|Transcoding and delivery|Everything else)$/),
    ]);
  // It is open while the pointer rests on it, so it keeps no shortcut from working, as a dialog does.
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.waitFor();
  // It is visible before it takes the focus and listens to keys.
  await page.waitForFunction(() => document.activeElement?.closest('[data-modal]') ?? false);
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await parts.waitFor({ state: 'detached' });
});

test('the wall plays the source and every rendition at once, muted, and leaves no player behind when it closes', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  for (const name of ['Source', 'Middle', 'Small']) {
    const tile = studio.wall.getByRole('listitem', { name });
    await tile.locator('video[data-state="playing"]').waitFor();
    await tile.getByText('Running', { exact: true }).waitFor();
    expect(await tile.locator('video').evaluate((video) => (video as HTMLVideoElement).muted)).toBe(true);
  }
  const heights = await studio.wall
    .locator('video')
    .evaluateAll((videos) => videos.map((video) => (video as HTMLVideoElement).videoHeight));
  expect(heights).toEqual([180, 144, 128]);
  // Controls for a single picture would have no effect here.
  for (const control of [studio.rewind, studio.quality, studio.liveOrBack]) expect(await control.count()).toBe(0);
  const closed = await studio.wall.locator('video').elementHandles();
  const close = page.getByRole('button', { name: 'Close the wall' });
  // Its name says what it does: "Close, pressed" would say the opposite.
  expect(await close.getAttribute('aria-pressed')).toBe(null);
  await close.click();
  await studio.wall.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('video').count()).toBe(1);
  // A destroyed player has detached its media from the element.
  for (const video of closed) expect(await video.evaluate((element) => (element as HTMLVideoElement).buffered.length)).toBe(0);
});

test('without contact, and with nothing new to play, the wall says so above its tiles and in each of them', async () => {
  let socket: PageSocket | undefined;
  const page = await ui.openPage(studioHash, async (opened) => {
    socket = await holdPageSocket(opened);
  });
  const { wall, seePicture } = studioPage(page);
  await seePicture();
  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  const source = wall.getByRole('listitem', { name: 'Source' });
  await source.getByText(/\d\skbit\/s$/).waitFor();
  await page.route(/\/hls\//, (route) => route.abort());
  await socket?.lose();
  await wall.getByText(/^No contact\. Nothing new is arriving/).waitFor();
  await expect.poll(() => wall.getByText('No contact', { exact: true }).count()).toBe(3);
  expect(await source.getByText(/–\skbit\/s$/).count()).toBe(1);
  await page.close();
});

test('a tile of the wall whose rendition does not arrive says so while the others play', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  const tile = (name: string) => studio.wall.getByRole('listitem', { name });
  await tile('Small').locator('video[data-state="playing"]').waitFor();
  await page.route(/\/hls\/.*\/small\//, (route) => route.abort());
  await tile('Small').getByText('Nothing new arrives here').waitFor();
  await page.unroute(/\/hls\/.*\/small\//);
  await tile('Small').locator('video[data-state="playing"]').waitFor();
});

test('Pause keeps the focus while nothing new arrives, and can be pressed again once the picture is back', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  const pause = studio.monitor.getByRole('button', { name: 'Pause', exact: true });
  await pause.focus();
  await page.route(/\/hls\//, (route) => route.abort());
  await page.locator('[aria-label^="Monitor"][data-state="held"]').waitFor();
  expect(await pause.evaluate((button) => [button === document.activeElement, button.ariaDisabled])).toEqual([true, 'true']);
  await page.keyboard.press('Enter');
  expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).paused)).toBe(false);
  await page.unroute(/\/hls\//);
  await studio.seePicture();
  await page.keyboard.press('Enter');
  await studio.monitor.getByRole('button', { name: 'Play', exact: true }).waitFor();
});

test('choosing a tile of the wall shows it alone', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  await studio.wall.getByRole('button', { name: 'Watch Middle alone' }).click();
  await studio.wall.waitFor({ state: 'detached' });
  await page.locator('[aria-label="Quality: Middle · 144p"]').waitFor();
  await studio.quality.click();
  await page.getByRole('menuitemradio', { name: /^Automatic/ }).click();
  await studio.seePicture();
});

test('controls hide over the live picture when unused, and appear for pointer and keyboard', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  const controls = studio.monitor.getByRole('group', { name: 'Monitor controls' });
  const untilOpacity = (opacity: string) =>
    controls.evaluate(
      (element, wanted) =>
        new Promise<void>((resolve) => {
          const look = () => (getComputedStyle(element).opacity === wanted ? resolve() : requestAnimationFrame(look));
          look();
        }),
      opacity,
    );
  await studio.strip.hover();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await untilOpacity('0');
  // They hide again after three seconds.
  const shown = untilOpacity('1');
  await studio.monitor.hover();
  await shown;
  await studio.strip.hover();
  await untilOpacity('0');
  await studio.rewind.focus();
  await page.keyboard.press('Tab');
  await untilOpacity('1');
});

test('the volume follows the pointer that drags it, also beside the slider, while the numbers around it change', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  // It appears above the other controls five seconds into the broadcast, and their places change.
  await studio.rewind.waitFor();
  const volume = studio.monitor.getByRole('slider', { name: 'Volume' });
  const { x, y, width } = (await volume.boundingBox()) ?? { x: -1, y: -1, width: 0 };
  const untilTimerChanges = async () => {
    const before = await studio.timer.textContent();
    await expect.poll(() => studio.timer.textContent()).not.toBe(before);
  };
  await page.mouse.move(x + width / 2, y + 8);
  await page.mouse.down();
  await untilTimerChanges();
  await untilTimerChanges();
  await page.mouse.move(x + width, y - 40);
  await expect.poll(() => volume.inputValue()).toBe('1');
  await untilTimerChanges();
  await page.mouse.move(x, y - 40);
  await expect.poll(() => volume.inputValue()).toBe('0');
  await page.mouse.up();
});

test('axe finds no violation in the quality menu, the parts of the latency, and the wall', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await studio.quality.click();
  await page.getByRole('menu').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // The menu returns the focus when it has closed: an Enter before that would be the button's.
  await expect.poll(() => studio.quality.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await studio.lookAtLatency(() => findViolations(page))).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  await studio.wall.locator('video[data-state="playing"]').first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close the wall' }).click();
});

test('the viewer rewinds ten seconds by keyboard and stays there, pauses without losing the position, and returns to live', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  await page.waitForFunction(
    () => Number(document.querySelector<HTMLInputElement>('input[aria-label="Rewind"]')?.min ?? 0) <= -20,
  );
  await studio.rewind.focus();
  await page.keyboard.press('ArrowLeft');
  await untilBehind(page, 9, 9 + lagSeconds);
  await studio.seePicture();
  await page.keyboard.press('ArrowLeft');
  await untilBehind(page, 19, 19 + lagSeconds);
  await page.keyboard.press('ArrowRight');
  await untilBehind(page, 9, 9 + lagSeconds);
  await studio.seePicture();
  // Longer than the watchdog of the playhead waits before it acts.
  await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    const until = video.currentTime + 5;
    while (video.currentTime < until)
      await new Promise((resolve) => video.addEventListener('timeupdate', resolve, { once: true }));
  });
  expect(await readBehind(studio)).toSatisfy((behind: number) => behind >= 9 && behind <= 9 + lagSeconds);

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await untilBehind(page, 13, 60);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await studio.seePicture();
  expect(await readBehind(studio)).toBeGreaterThanOrEqual(13);

  await studio.backToLive.click();
  await seeLive(monitor);
});

test('a picture whose decoder fails plays on with another decoder', async () => {
  await using monitor = await openMonitor();
  const { page, studio } = monitor;
  const isPausedAnew = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const video = document.querySelector('video') as HTMLVideoElement;
        video.addEventListener('loadeddata', () => resolve(video.paused), { once: true });
      }),
  );
  let isSpoilt = false;
  await page.route(/\/hls\/.*\.(m4s|mp4)/, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    const data = body.indexOf('mdat') + 4;
    if (isSpoilt || data < 4) return route.fulfill({ response });
    isSpoilt = true;
    await route.fulfill({ response, body: body.fill(0xff, data) });
  });
  expect(await isPausedAnew).toBe(false);
  expect(isSpoilt).toBe(true);
  await studio.seePicture();
});

test("a broadcast's last picture stays, without its sound, until the next one, of another shape, is seen", async () => {
  const { hash, ingestUrl } = await ui.createStream({ name: 'Turned upright' });
  const page = await ui.openPage(hash);
  const { monitor, seePicture, countKeptColours } = studioPage(page);
  const wide = startFfmpegPublisher(ingestUrl);
  await seePicture();
  await monitor.getByRole('button', { name: 'Unmute' }).click();
  await wide.quit();
  await page.locator('[aria-label^="Monitor"][data-state="idle"]').waitFor();
  expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).buffered.length)).toBe(0);
  expect(await countKeptColours()).toBeGreaterThan(10);
  await using _upright = startFfmpegPublisher(ingestUrl, { args: ['-vf', 'scale=180:320'] });
  await seePicture();
  await expect.poll(countKeptColours).toBe(1);
  await page.close();
});

test('a broadcast without video is called sound only, also while Health reports trouble with its sound', async () => {
  const { hash, ingestUrl } = await ui.createStream({ name: 'Radio' });
  const page = await ui.openPage(hash, async (opened) => {
    (await holdPageSocket(opened)).rewrite = changeLive({ verdict: soundClips });
  });
  const { monitor, seePicture } = studioPage(page);
  await using _publisher = startFfmpegPublisher(ingestUrl, { args: ['-vn', '-af', clipping] });
  await seePicture();
  await page.getByText('The sound is clipping').first().waitFor();
  await monitor.getByText('The encoder sends no video.').waitFor();
  await page.close();
});

test('a page that decodes none of the codecs says so, and that another choice of codecs helps', async () => {
  const page = await ui.openPage(studioHash, async (opened) => {
    await opened.addInitScript(() => {
      const decodes = MediaSource.isTypeSupported.bind(MediaSource);
      // hls.js asks for the Baseline profile to see whether it works at all.
      MediaSource.isTypeSupported = (type) => !/avc1\.(?!42E01E)/i.test(type) && decodes(type);
    });
  });
  const { monitor, health } = studioPage(page);
  await monitor.getByText("This stream can't be decoded").waitFor();
  await monitor.getByText(/choose H\.264 and AAC in the encoder/).waitFor();
  await health.getByText("Your monitor isn't playing").waitFor();
  expect(await monitor.getByText(/^Nothing new for/).count()).toBe(0);
  await page.close();
});

test('a source that the browser cannot decode is called that in the quality menu and on the wall, while a rendition plays', async () => {
  const page = await ui.openPage(studioHash, async (opened) => {
    await opened.addInitScript(() => {
      const decodes = MediaSource.isTypeSupported.bind(MediaSource);
      // The publisher's profile, Constrained Baseline; those of the renditions are others.
      MediaSource.isTypeSupported = (type) => !/avc1\.42c0/i.test(type) && decodes(type);
    });
  });
  const { quality, wall, seePicture } = studioPage(page);
  await seePicture();
  await quality.click();
  const choice = page.getByRole('menuitemradio', { name: /^Source/ });
  await choice.getByText("This browser can't decode it").waitFor();
  expect(await choice.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  const tile = wall.getByRole('listitem', { name: 'Source' });
  await tile.getByText("This browser can't decode it").waitFor();
  expect(await tile.locator('video').count()).toBe(0);
  await wall.getByRole('listitem', { name: 'Middle' }).locator('video[data-state="playing"]').waitFor();
  await page.close();
});

test('where the browser blocks autoplay, the monitor and each tile of the wall offer Play, and Health sees a pause', async () => {
  const page = await ui.openPage(studioHash, async (opened) => {
    await opened.addInitScript(() => {
      const start = HTMLMediaElement.prototype.play;
      const started = new WeakSet<HTMLMediaElement>();
      // As in Safari, what a press has started may play on.
      HTMLMediaElement.prototype.play = function play() {
        if (window.event?.type === 'click') started.add(this);
        if (started.has(this)) return start.call(this);
        return Promise.reject(new DOMException('The request is not allowed.', 'NotAllowedError'));
      };
    });
  });
  const studio = studioPage(page);
  const words = studio.monitor.getByText('This browser blocks autoplay. Press Play.');
  await words.waitFor();
  await studio.health.getByRole('listitem').filter({ hasText: 'Play' }).getByText('paused', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Show source and renditions at once' }).click();
  await studio.wall.getByRole('button', { name: 'Play Middle', exact: true }).click();
  await studio.wall.getByRole('listitem', { name: 'Middle' }).locator('video[data-state="playing"]').waitFor();
  await expect.poll(() => studio.wall.getByRole('button', { name: /^Play / }).count()).toBe(2);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close the wall' }).click();

  await words.waitFor();
  expect(await findViolations(page)).toEqual([]);
  await studio.monitor.getByRole('button', { name: 'Play', exact: true }).click();
  await seeLive({ page, studio });
  await page.close();
});

test('where only a video can fill the screen, as on an iPhone, full screen is not offered, and dialogs open', async () => {
  const page = await ui.openPage(studioHash, async (opened) => {
    await opened.addInitScript(() => {
      for (const name of ['fullscreenEnabled', 'fullscreenElement', 'exitFullscreen'])
        Reflect.deleteProperty(Document.prototype, name);
      Reflect.deleteProperty(Element.prototype, 'requestFullscreen');
    });
  });
  const { monitor } = studioPage(page);
  await monitor.getByRole('button', { name: 'Unmute' }).waitFor();
  expect(await monitor.getByRole('button', { name: 'Full screen' }).count()).toBe(0);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.close();
});
