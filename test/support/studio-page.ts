import type { Locator, Page } from 'playwright-core';

/** Studio, by its parts' accessible names. */
export function studioPage(page: Page) {
  const strip = page.getByRole('banner');
  const monitor = page.getByRole('region', { name: 'Monitor: what viewers see' });
  const latency = monitor.getByRole('button', { name: /^\d+\.\d\ss behind (you|your encoder|live)$/ });
  const health = page.getByRole('complementary', { name: 'Health' });
  const source = (name: string) => page.getByRole('radio', { name });
  const browse = page.getByRole('button', { name: 'Browse…' });
  const reveal = page.getByRole('button', { name: 'Reveal stream key' });
  const hide = page.getByRole('button', { name: 'Hide stream key' });
  return {
    strip,
    state: (word: string) => strip.getByText(word, { exact: true }),
    timer: strip.getByRole('timer'),
    goLive: strip.getByRole('button', { name: 'Go live' }),
    stop: strip.getByRole('button', { name: 'Stop', exact: true }),
    question: page.getByRole('alertdialog'),
    /** Stops the broadcast at least 1.5 s after Go live, and resolves when the stream is off air. */
    async stopBroadcast() {
      await strip.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stop the broadcast' }).click();
      await strip.getByRole('button', { name: 'Go live' }).waitFor();
    },
    source,
    /** The list of devices of a kind. */
    device: (label: string) => page.getByRole('combobox', { name: label, exact: true }),
    /** The preview of the source, once it shows a picture. */
    previewed: page.locator('figure[aria-label="Preview of the source"][data-state="shown"]'),
    sounds: page.getByRole('list', { name: 'Sounds' }).getByRole('listitem'),
    addSound: async (name: string | RegExp) => {
      await page.getByRole('combobox', { name: 'Add a sound' }).click();
      await page.getByRole('option', { name }).click();
    },
    /** Makes the next *Go live* cheap, with 10 pictures a second, for tests that don't assert their number. */
    async encodeSlowly() {
      await page.getByRole('combobox', { name: 'Quality', exact: true }).click();
      await page.getByRole('option', { name: 'Custom' }).click();
      await page.getByRole('textbox', { name: 'Frames per second' }).fill('10');
    },
    filePath: page.getByRole('textbox', { name: 'File path' }),
    browse,
    /** Chooses files as the source, and opens a folder in their dialog. */
    async browseTo(folder: string): Promise<Locator> {
      await source('File').click();
      await browse.click();
      const dialog = page.getByRole('dialog', { name: 'Choose files' });
      const field = dialog.getByRole('textbox', { name: 'Folder' });
      // The first folder must not arrive between the parts of what is filled in.
      await page.waitForFunction((input) => (input as HTMLInputElement).value !== '', await field.elementHandle());
      await field.fill(folder);
      await dialog.getByRole('button', { name: 'Open', exact: true }).click();
      return dialog;
    },
    copy: (what: string) => page.getByRole('button', { name: `Copy ${what}` }),
    value: (label: string) => page.getByRole('group', { name: label }).locator('code'),
    reveal,
    hide,
    /** Reveals the stream key. */
    showKey: () => revealKey(page, 'stream key'),
    /** The text of the card of a trouble. */
    trouble: page
      .getByRole('main')
      .getByRole('alert')
      // The announcer reads this one.
      .or(
        page
          .getByRole('main')
          .getByText(/^The broadcast failed at /)
          .locator('xpath=..'),
      ),
    whatFfmpegSaid: page.getByRole('button', { name: 'Show ffmpeg output' }),
    ffmpegLines: page.getByRole('region', { name: 'ffmpeg output' }),
    monitor,
    /** The chip with the latency of the current picture. */
    latency,
    /**
     * Opens its parts and returns the result of `look`, which must not wait. Repeats that if the picture stalls meanwhile, since there is
     * no latency then, and no parts. Uses the keyboard: under a pointer the parts open by themselves, and a late click closes them.
     */
    async lookAtLatency<Found>(look: (parts: Locator) => Promise<Found>): Promise<Found> {
      const parts = page.getByRole('dialog', { name: /^\d+\.\d\ss behind (you|your encoder|live)$/ });
      for (;;) {
        while (!(await parts.isVisible())) {
          await latency.press('Enter');
          await isShown(parts);
        }
        const found = await look(parts);
        if (await parts.isVisible()) return found;
      }
    },
    quality: monitor.getByRole('button', { name: /^Quality/ }),
    wall: monitor.getByRole('region', { name: 'Wall: source and renditions' }),
    rewind: monitor.getByRole('slider', { name: 'Rewind' }),
    /** The button that says `Live`, or leads back to it. */
    liveOrBack: monitor.getByRole('button', { name: /^(Live: at the live edge|Back to live)$/ }),
    backToLive: monitor.getByRole('button', { name: 'Back to live' }),
    /** The bars of the sound meter: the true peak of each channel. */
    peaks: page.getByRole('region', { name: 'Sound meter' }).getByRole('meter'),
    health,
    fact: (name: string) =>
      health
        .locator('div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .last()
        .getByRole('definition'),
    /** Opens the exact numbers. */
    openDetails: () => health.getByRole('button', { name: 'Details' }).click(),
    sessions: page.getByRole('region', { name: 'Sessions' }).getByRole('row'),
    /** The number of colours in the picture kept while the player is replaced: 1 for a black picture, and for none. */
    countKeptColours: (): Promise<number> =>
      monitor.locator('canvas').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const pixels = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
        return new Set(new Uint32Array(Uint8Array.from(pixels).buffer)).size;
      }),
    /** Resolves when the monitor plays: its playhead advances by half a second. */
    async seePicture() {
      await page.locator('[aria-label^="Monitor"][data-state="playing"]').waitFor();
      await page.waitForFunction(() => {
        const video = document.querySelector('video');
        if (video === null) return false;
        const since = Number(video.dataset.since ?? 'NaN');
        if (Number.isNaN(since) || video.currentTime < since) video.dataset.since = String(video.currentTime);
        return video.currentTime > since + 0.5;
      });
      await page.evaluate(() => document.querySelector('video')?.removeAttribute('data-since'));
    },
  };
}

/** Reveals a key. Repeats that if the browser takes the focus from this page meanwhile, which hides the key. */
export async function revealKey(page: Page, what: 'stream key' | 'API key'): Promise<void> {
  for (let isRevealed = false; !isRevealed; ) {
    await page.getByRole('button', { name: `Reveal ${what}` }).click();
    isRevealed = await isShown(page.getByRole('button', { name: `Hide ${what}` }));
  }
}

/** Whether it appears within 5 s. */
async function isShown(shown: Locator): Promise<boolean> {
  return shown.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}
