import type { Page, WebSocketRoute } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { createStream } from '../support/create-stream.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

/** The WebSockets between page and service. A test can drop or hold back their messages without closing them. */
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

  /** Holds back messages from the service. */
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

/** A lamp may be wrong for as long as the service may be silent, plus a little on a busy computer. */
const soon = { timeout: 8_000 };

test('every screen shows lost contact within seconds when the host hangs, and the lamp returns when the host resumes', async () => {
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

test('a connection that silently loses messages is abandoned, and a new one is tried', async () => {
  const before = way.sockets.length;
  for (const socket of way.sockets) socket.swallows = true;
  await expect.poll(() => way.sockets.length, { timeout: 10_000 }).toBe(before + 1);
  // The page now gets its data over the new connection.
  await publisher.quit();
  await studio.state('Off air').waitFor({ timeout: 10_000 });
});

test('a tally view is blank until it has data, and never shows off air', async () => {
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
