import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openCamera } from '../../../test/support/open-camera.ts';
import { soon } from '../../../test/support/soon.ts';
import { formatCapturedMedia } from '../../shared/capture-message.ts';
import type { PageCaptureState } from '../../shared/model/page-capture.ts';
import { LiveSound } from '../capture/live-sound.ts';
import { createEventSource } from '../lib/event-source.ts';
import { PageCaptures } from './page-captures.ts';
import { PageMedia } from './page-media.ts';

const both = { hasVideo: true, hasAudio: true };
const small = { width: 2, height: 2, fps: 30 };
const large = { width: 4, height: 2, fps: 15 };

let nowMs: number;
let orders: PageCaptures;
let media: PageMedia;
let server: Server;
let end: () => void;
const pages: WebSocket[] = [];
beforeEach(async () => {
  nowMs = 0;
  const clock = { monotonicMs: () => nowMs };
  orders = new PageCaptures({ clock, host: undefined, inUse: () => new Set(), needsScreens: () => true });
  media = new PageMedia(clock, orders);
  server = createServer();
  end = media.serve(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  for (const page of pages.splice(0)) page.terminate();
  end();
  server.close();
  await once(server, 'close');
});

/** A page's socket, and what the service has told it. */
async function openPage(ticket: string) {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/capture`, ['tallylight-capture', `ticket.${ticket}`]);
  pages.push(socket);
  const told: unknown[] = [];
  socket.on('message', (data) => told.push(JSON.parse(String(data))));
  await once(socket, 'open');
  return { socket, told };
}

/** A listener that records what it gets. */
function listen() {
  const heard: unknown[] = [];
  return {
    heard,
    onPicture: (bytes: Buffer, { width, height }: { width: number; height: number }) =>
      heard.push(`${width}x${height} ${bytes.toString('hex')}`),
    onSound: (pcm: Buffer) => heard.push(pcm.toString('hex')),
    onLost: ({ code }: { code: string }) => heard.push(code),
    onBack: () => {},
  };
}

const picture = (width: number, height: number) =>
  formatCapturedMedia({ kind: 'picture', width, height, bytes: new Uint8Array((width * height * 3) / 2).fill(7) });
const sound = formatCapturedMedia({ kind: 'sound', bytes: Uint8Array.of(1, 2, 3, 4) });

test('a page sends what is wanted, to all who want it', async () => {
  const [first, second, ear] = [listen(), listen(), listen()];
  media.watchPictures('c', small, first);
  const { socket, told } = await openPage(media.giveTicket('c', both));
  const leave = media.watchPictures('c', large, second);
  media.watchSound('c', ear);
  const want = (video: object | undefined, audio: boolean) => ({ kind: 'want', ...(video && { video }), audio });
  await soon(() =>
    expect(told).toEqual([want(small, false), want({ ...large, fps: 30 }, false), want({ ...large, fps: 30 }, true)]),
  );
  socket.send(picture(2, 2));
  socket.send(picture(4, 2));
  socket.send(sound);
  const seen = `4x2 ${'07'.repeat(12)}`;
  await soon(() => expect([first.heard, second.heard, ear.heard]).toEqual([['share-ended', seen], [seen], ['01020304']]));
  // Taken counts every picture, so that the page may continue after one of an earlier size.
  await soon(() =>
    expect(told.slice(3)).toEqual([
      { kind: 'took', frames: 1 },
      { kind: 'took', frames: 2 },
    ]),
  );
  leave();
  await soon(() => expect(told.at(-1)).toEqual(want(small, true)));
});

test('a page that closes is away, and one with the same capture takes its place', async () => {
  const eye = listen();
  media.watchPictures('c', small, eye);
  const { socket } = await openPage(media.giveTicket('c', both));
  socket.terminate();
  await soon(() => expect(eye.heard).toEqual(['share-ended', 'share-ended']));
  const again = await openPage(media.giveTicket('c', both));
  again.socket.send(picture(2, 2));
  await soon(() => expect(eye.heard.at(-1)).toBe(`2x2 ${'07'.repeat(6)}`));
  // A reload: the old socket ends without a word to the listeners.
  const reloaded = await openPage(media.giveTicket('c', both));
  await once(again.socket, 'close');
  reloaded.socket.send(picture(2, 2));
  await soon(() => expect(eye.heard).toHaveLength(4));
});

test('muted and ended tracks are away, and so are those that the page has not', async () => {
  const [eye, ear, deaf] = [listen(), listen(), listen()];
  media.watchPictures('c', small, eye);
  media.watchSound('c', ear);
  const { socket } = await openPage(media.giveTicket('c', both));
  socket.send(JSON.stringify({ kind: 'track', track: 'audio', state: 'muted' }));
  socket.send(JSON.stringify({ kind: 'track', track: 'video', state: 'ended' }));
  await soon(() =>
    expect([eye.heard, ear.heard]).toEqual([
      ['share-ended', 'share-ended'],
      ['share-ended', 'muted'],
    ]),
  );
  media.watchSound('c', deaf);
  expect(deaf.heard).toEqual(['muted']);
  await openPage(media.giveTicket('silent', { hasVideo: true, hasAudio: false }));
  const later = listen();
  await soon(() => {
    media.watchSound('silent', later)();
    expect(later.heard.at(-1)).toBe('no-sound');
  });
});

test('what a muted track still sends is dropped, so that it stays away until it is unmuted', async () => {
  const [eye, ear] = [listen(), listen()];
  const { socket, told } = await openPage(media.giveTicket('c', both));
  media.watchPictures('c', small, eye);
  media.watchSound('c', ear);
  await soon(() => expect(told).toHaveLength(3));
  const tell = (state: string) => {
    for (const track of ['video', 'audio']) socket.send(JSON.stringify({ kind: 'track', track, state }));
  };
  tell('muted');
  socket.send(picture(2, 2));
  socket.send(sound);
  tell('live');
  socket.send(picture(2, 2));
  socket.send(sound);
  await soon(() =>
    expect([eye.heard, ear.heard]).toEqual([
      ['muted', `2x2 ${'07'.repeat(6)}`],
      ['muted', '01020304'],
    ]),
  );
  // A dropped picture counts as taken, so that the page sends the next.
  await soon(() => expect(told.at(-1)).toEqual({ kind: 'took', frames: 2 }));
});

test('who waits for the sound of a screen learns at once that it was shared again without it', async () => {
  const [eye, ear] = [listen(), listen()];
  media.watchPictures('c', small, eye);
  media.watchSound('c', ear);
  const { told } = await openPage(media.giveTicket('c', { hasVideo: true, hasAudio: false }));
  await soon(() => expect(told).toHaveLength(1));
  expect([eye.heard, ear.heard]).toEqual([['share-ended'], ['share-ended', 'no-sound']]);
});

test('a camera that is unplugged is gone, not closed, and its page that is closed is', async () => {
  const captureId = orders.order('browser', { of: 'camera' });
  const leave = orders.join('browser', 'page');
  const report = (state: PageCaptureState) =>
    orders.report('browser', 'page', { devices: [], captures: [{ captureId, attempt: 1, state }] });
  report(openCamera);
  const eye = listen();
  media.watchPictures(captureId, small, eye);
  const { socket } = await openPage(media.giveTicket(captureId, both));
  socket.send(JSON.stringify({ kind: 'track', track: 'video', state: 'ended' }));
  await soon(() => expect(eye.heard).toEqual(['reopening', 'gone']));
  socket.terminate();
  await soon(() => expect(eye.heard).toEqual(['reopening', 'gone', 'reopening']));
  report({ kind: 'failed', failure: { code: 'not-found' } });
  expect(eye.heard.at(-1)).toBe('gone');
  leave();
  expect(eye.heard.at(-1)).toBe('page-closed');
});

test('a page that sends no picture is asked for its last one, and then its picture is away until there is one', async () => {
  const eye = listen();
  const { socket, told } = await openPage(media.giveTicket('c', both));
  await soon(() => expect(told).toHaveLength(1));
  for (let looks = 0; looks < 5; looks += 1) media.tick();
  media.watchPictures('c', small, eye);
  media.tick();
  media.tick();
  await soon(() => expect(told.slice(2)).toEqual([{ kind: 'again' }]));
  expect(eye.heard).toEqual([]);
  media.tick();
  media.tick();
  expect(eye.heard).toEqual(['stuck']);
  const late = listen();
  media.watchPictures('c', small, late);
  expect(late.heard).toEqual(['stuck']);
  socket.send(picture(2, 2));
  await soon(() => expect([eye, late].map(({ heard }) => heard.at(-1))).toEqual(Array(2).fill(`2x2 ${'07'.repeat(6)}`)));
  // A track that the system withholds is reported as muted.
  socket.send(JSON.stringify({ kind: 'track', track: 'video', state: 'muted' }));
  await soon(() => expect(eye.heard.at(-1)).toBe('muted'));
  for (let looks = 0; looks < 5; looks += 1) media.tick();
  expect(eye.heard.at(-1)).toBe('muted');
});

test('a microphone always sends something, so that one without sound is asked for it, and then away', async () => {
  const captureId = orders.order('browser', { of: 'microphone' });
  const ear = listen();
  const { socket, told } = await openPage(media.giveTicket(captureId, { hasVideo: false, hasAudio: true }));
  for (let looks = 0; looks < 5; looks += 1) media.tick();
  media.watchSound(captureId, ear);
  media.tick();
  media.tick();
  await soon(() => expect(told.slice(2)).toEqual([{ kind: 'again' }]));
  expect(ear.heard).toEqual([]);
  media.tick();
  media.tick();
  expect(ear.heard).toEqual(['stuck']);
  socket.send(sound);
  await soon(() => expect(ear.heard).toEqual(['stuck', '01020304']));
  media.tick();
  media.tick();
  expect(ear.heard).toHaveLength(2);
});

test('what the computer plays may send nothing while nothing plays', async () => {
  const captureId = orders.order('browser', { of: 'system' });
  const ear = listen();
  const { told } = await openPage(media.giveTicket(captureId, { hasVideo: false, hasAudio: true }));
  await soon(() => expect(told).toHaveLength(1));
  media.watchSound(captureId, ear);
  for (let looks = 0; looks < 5; looks += 1) media.tick();
  expect(ear.heard).toEqual([]);
});

test('what the computer plays is back once its page captures it again, though nothing plays', async () => {
  const captureId = orders.order('browser', { of: 'system' });
  const sound = new LiveSound(async () => {});
  media.watchSound(captureId, {
    onSound: (pcm) => sound.push(pcm),
    onLost: (fault) => sound.lose(fault),
    onBack: () => sound.regain(),
  });
  expect(sound.fault).toBeDefined();
  const tracks = { hasVideo: false, hasAudio: true };
  const { socket } = await openPage(media.giveTicket(captureId, tracks));
  await soon(() => expect(sound.fault).toBeUndefined());
  const tell = (state: string) => socket.send(JSON.stringify({ kind: 'track', track: 'audio', state }));
  tell('muted');
  await soon(() => expect(sound.fault).toEqual({ code: 'muted' }));
  tell('live');
  await soon(() => expect(sound.fault).toBeUndefined());
  socket.terminate();
  await soon(() => expect(sound.fault).toBeDefined());
  await openPage(media.giveTicket(captureId, tracks));
  await soon(() => expect(sound.fault).toBeUndefined());
});

test('a ticket opens one socket, within 30 s', async () => {
  const ticket = media.giveTicket('c', both);
  await openPage(ticket);
  await expect(openPage(ticket)).rejects.toThrow('403');
  const late = media.giveTicket('c', both);
  nowMs = 30_001;
  await expect(openPage(late)).rejects.toThrow('403');
  await expect(openPage('guessed')).rejects.toThrow('403');
});

test.each([
  ['a picture that is cut off', picture(4, 4).slice(0, 20)],
  ['words that are none', 'hello'],
])('%s ends the socket', async (_what, message) => {
  const { socket } = await openPage(media.giveTicket('c', both));
  socket.send(message);
  expect((await once(socket, 'close'))[0]).toBe(1007);
});

test('who leaves twice leaves those alone who came after it', async () => {
  const changes = createEventSource<undefined>();
  const media = new PageMedia({ monotonicMs: () => 0 }, { find: () => undefined, changes });
  const leave = media.watchSound('microphone', { onSound() {}, onBack() {}, onLost() {} });
  leave();
  const heard: string[] = [];
  media.watchSound('microphone', { onSound() {}, onBack() {}, onLost: ({ code }) => heard.push(code) });
  leave();
  heard.length = 0;
  changes.emit(undefined);
  expect(heard).toEqual(['share-ended']);
});
