import type { Page, WebSocketRoute } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { createStream } from '../support/create-stream.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

/** What the page's WebSockets carry from the service, which a test may lose or hold back without closing anything. */
class ContractWay {
  readonly sockets: { swallows: boolean }[] = [];
  #held: (() => void)[] | undefined;

  async watch(page: Page): Promise<void> {
    await page.routeWebSocket(/\/contract$/, (route) => this.#connect(route));
  }

  #connect(route: WebSocketRoute) {
    const socket = { swallows: false };
    this.sockets.push(socket);
    const server = route.connectToServer();
    route.onMessage((message) => {
      if (!socket.swallows) server.send(message);
    });
    server.onMessage((message) => {
      if (socket.swallows) return;
      if (this.#held === undefined) route.send(message);
      else this.#held.push(() => route.send(message));
    });
  }

  /** What the service says waits. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    for (const send of this.#held ?? []) send();
    this.#held = undefined;
  }
}

let way: ContractWay;
let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let publisher: ReturnType<typeof startFfmpegPublisher>;
let streamId: string;

beforeEach(async () => {
  way = new ContractWay();
  ui = await openBrowserUi({ prepare: (page) => way.watch(page) });
  studio = studioPage(ui.page);
  const stream = await createStream(ui.host, { name: 'Sunday show', profiles: [] });
  streamId = stream.id;
  publisher = startFfmpegPublisher(`${ui.host.ready.ingestBaseUrl}/${stream.streamKey}`, { seconds: 300 });
  await ui.goTo(`#/studio/${streamId}`);
  await studio.state('On air').waitFor();
});
afterEach(async () => {
  process.kill(ui.host.pid, 'SIGCONT');
  await publisher.kill();
  await ui[Symbol.asyncDispose]();
});

/** A lamp may be wrong for as long as the service may be silent, and a little for a busy computer. */
const soon = { timeout: 8_000 };

test('a host that hangs without a word is no contact within seconds in every place, and the lamp is back when it goes on', async () => {
  await ui.goTo('#/streams');
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await expect.poll(() => ui.page.title()).toBe('On air — Sunday show · Streams · Tallylight');
  await ui.goTo('#/tally');
  await ui.page.getByText('On air', { exact: true }).waitFor();

  process.kill(ui.host.pid, 'SIGSTOP');
  await ui.page.getByText('No contact', { exact: true }).waitFor(soon);
  await expect.poll(() => ui.page.getByText('On air', { exact: true }).count()).toBe(0);
  await expect.poll(() => ui.page.getByRole('timer').textContent()).toBe('');
  await expect.poll(() => ui.page.title()).toMatch(/^No contact/);
  for (const [hash, place] of [
    ['#/streams', 'Streams'],
    ['#/settings', 'Settings'],
  ]) {
    await ui.goTo(hash as string);
    await studio.state('No contact').waitFor();
    await expect.poll(() => ui.page.title()).toBe(`No contact · ${place} · Tallylight`);
  }

  process.kill(ui.host.pid, 'SIGCONT');
  await ui.goTo(`#/studio/${streamId}`);
  await studio.state('No contact').waitFor({ state: 'detached', timeout: 15_000 });
  await studio.state('On air').waitFor({ timeout: 15_000 });
});

test('a connection that swallows what is said without closing is given up, and another is tried', async () => {
  const before = way.sockets.length;
  for (const socket of way.sockets) socket.swallows = true;
  await expect.poll(() => way.sockets.length, { timeout: 10_000 }).toBe(before + 1);
  // What the page shows comes over the new one.
  await publisher.quit();
  await studio.state('Off air').waitFor({ timeout: 10_000 });
});

test('a tally view that has heard nothing yet is blank, and never off air', async () => {
  way.hold();
  await ui.goTo('#/tally');
  await ui.page.reload();
  await ui.page.getByRole('heading', { name: /tally view$/ }).waitFor({ state: 'attached' });
  const shown = async () => [await ui.page.title(), await ui.page.getByRole('main').textContent()];
  const [title, text] = await shown();
  expect([title, /off air|on air/i.test(text ?? '')]).toEqual(['Tally view · Tallylight', false]);
  way.release();
  await ui.page.getByText('On air', { exact: true }).waitFor();
  expect((await shown())[0]).toBe('On air — Sunday show');
});
