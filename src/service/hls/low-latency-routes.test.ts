import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { appendSegment, beginSegment, completeSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { createHttpServer } from '../http/http-server.ts';
import { playbackRoutes } from './hls-routes.ts';
import type { PackagedPart } from './packaged-segment.ts';
import type { Playback } from './playback-directory.ts';

const part = (text: string): PackagedPart => ({
  bytes: Buffer.from(text),
  durationSeconds: 0.2,
  independent: true,
});

/** A server whose source has the segments 0 and 1 and two parts of segment 2, and whose rendition `720p` has segment 0. */
async function startShow() {
  const store = createSegmentStore();
  const other = createSegmentStore();
  for (const durationSeconds of [2, 2])
    appendSegment(store, packagedSegment({ durationSeconds, parts: [part('a'), part('bc')], sizeBytes: 3 }));
  appendSegment(other, packagedSegment());
  const { parts: _, ...start } = packagedSegment();
  beginSegment(store, start);
  store.addPart(part('first'));
  store.addPart(part('second'));
  const app = createHttpServer({ log: pino({ level: 'silent' }) });
  const renditions = [
    { name: 'source', store },
    { name: '720p', store: other },
  ];
  const directory: { playback: Playback; find(): Playback } = {
    playback: { kind: 'playable', multivariant: 'on-air', renditions },
    find: () => directory.playback,
  };
  await app.register(playbackRoutes(directory), { prefix: '/hls' });
  const get = (path: string) => app.inject(`/hls/show/source/${path}`);
  return { app, directory, store, get };
}

/** Whether it is still pending after everything due now has run. */
async function waits(answer: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => setTimeout(resolve, 30, 'later'));
  return (await Promise.race([answer, later])) === 'later';
}

describe('a blocked reload', () => {
  it('is answered at once if the playlist already has it', async () => {
    const { get } = await startShow();
    const plain = await get('index.m3u8');
    for (const query of [
      '_HLS_msn=0',
      '_HLS_msn=1',
      '_HLS_msn=1&_HLS_part=1',
      '_HLS_msn=1&_HLS_part=9',
      '_HLS_msn=2&_HLS_part=1',
    ]) {
      const answer = await get(`index.m3u8?${query}`);
      expect([query, answer.statusCode, answer.body]).toEqual([query, 200, plain.body]);
      expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=12');
    }
    expect(plain.headers['cache-control']).toBe('public, max-age=1');
    expect(plain.body).toContain('#EXT-X-RENDITION-REPORT:URI="../720p/index.m3u8",LAST-MSN=0,LAST-PART=0\n');
  });

  it('of a rendition that is left is answered with gaps as its source continues, and no part is hinted that will not come', async () => {
    const { app, get, store } = await startShow();
    const answer = get('index.m3u8?_HLS_msn=2&_HLS_part=2');
    const hinted = get('2-2.m4s');
    expect(await waits(answer)).toBe(true);
    store.leave();
    expect((await hinted).statusCode).toBe(404);
    expect(await waits(answer)).toBe(true);
    store.addPart({ ...part(''), independent: false, gap: true });
    const { statusCode, body } = await answer;
    expect(statusCode).toBe(200);
    expect(body).toContain('#EXT-X-PART:DURATION=0.20000,URI="2-2.m4s",GAP=YES\n');
    expect(body).not.toContain('#EXT-X-PRELOAD-HINT');
    expect(body).not.toContain('#EXT-X-ENDLIST');
    expect((await get('2-2.m4s')).statusCode).toBe(404);
    const multivariant = await app.inject('/hls/show/index.m3u8');
    expect(multivariant.body.split('\n').filter((line) => line.endsWith('.m3u8'))).toEqual(['720p/index.m3u8']);
    const other = await app.inject('/hls/show/720p/index.m3u8');
    expect(other.body).not.toContain('#EXT-X-RENDITION-REPORT');
  });

  it('waits for the part it names, and no longer', async () => {
    const { get, store } = await startShow();
    const answer = get('index.m3u8?_HLS_msn=2&_HLS_part=2');
    const next = get('index.m3u8?_HLS_msn=2&_HLS_part=3');
    expect(await waits(answer)).toBe(true);
    store.addPart(part('third'));
    expect((await answer).body).toContain('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="2-3.m4s"');
    expect(await waits(next)).toBe(true);
    store.addPart(part('fourth'));
    expect((await next).statusCode).toBe(200);
  });

  it('waits for a whole segment, or for the part after its last one', async () => {
    const { get, store } = await startShow();
    const whole = get('index.m3u8?_HLS_msn=2');
    const after = get('index.m3u8?_HLS_msn=2&_HLS_part=7');
    expect(await waits(whole)).toBe(true);
    completeSegment(store, packagedSegment({ parts: [part('first'), part('second')] }));
    expect((await whole).body).toContain('\n2.m4s\n');
    expect(await waits(after)).toBe(true);
    beginSegment(store, packagedSegment());
    store.addPart(part('next'));
    expect((await after).body).toContain('URI="3-0.m4s"');
  });

  it('is answered with the ended playlist when the broadcast ends, and a part that will not come is not found', async () => {
    const { get, store } = await startShow();
    const answers = [
      'index.m3u8?_HLS_msn=2',
      'index.m3u8?_HLS_msn=2&_HLS_part=2',
      'index.m3u8?_HLS_msn=3&_HLS_part=0&_HLS_skip=YES',
    ].map(get);
    const missed = get('2-2.m4s');
    for (const answer of [...answers, missed]) expect(await waits(answer)).toBe(true);
    store.end();
    const ended = (await get('index.m3u8')).body;
    expect(ended).toMatch(/\n1\.m4s\n#EXT-X-ENDLIST\n$/);
    for (const answer of await Promise.all(answers)) expect([answer.statusCode, answer.body]).toEqual([200, ended]);
    expect([(await missed).statusCode, (await missed).json()]).toEqual([
      404,
      { errors: ['The stream has ended before this part.'] },
    ]);
  });

  it.each(['_HLS_msn=3', '_HLS_msn=99', '_HLS_msn=2&_HLS_part=99', '_HLS_part=1', '_HLS_msn=one', '_HLS_msn=0&_HLS_skip=YES'])(
    'of a playlist that has ended is a plain one: %s is ignored',
    async (query) => {
      const { get, store } = await startShow();
      store.end();
      const [plain, answer] = [await get('index.m3u8'), await get(`index.m3u8?${query}`)];
      expect([answer.statusCode, answer.body]).toEqual([200, plain.body]);
      expect(answer.headers['cache-control']).toBe(plain.headers['cache-control']);
    },
  );

  it.each([
    ['_HLS_part=1', '_HLS_part needs _HLS_msn.'],
    ['_HLS_msn=one', '_HLS_msn must be given once, as a number.'],
    ['_HLS_msn=1&_HLS_msn=2', '_HLS_msn must be given once, as a number.'],
    ['_HLS_msn=2&_HLS_part=-1', '_HLS_part must be given once, as a number.'],
    ['_HLS_msn=4', 'Segment 4 is too far ahead: the newest is 1.'],
    ['_HLS_msn=2&_HLS_part=17', 'Part 17 of segment 2 is too far ahead.'],
  ])('with %s is refused', async (query, sentence) => {
    const { get } = await startShow();
    const answer = await get(`index.m3u8?${query}`);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors: [sentence] }]);
  });
});

describe('a request that waits, for a playlist or for a part,', () => {
  const waitingFor = ['index.m3u8?_HLS_msn=3', 'index.m3u8?_HLS_msn=2&_HLS_part=2', '2-2.m4s'];

  async function startWaiting() {
    const show = await startShow();
    const answers = waitingFor.map(show.get);
    for (const answer of answers) expect(await waits(answer)).toBe(true);
    return { ...show, answers: Promise.all(answers) };
  }

  function expectRefused(answers: Awaited<Awaited<ReturnType<typeof startWaiting>>['answers']>, sentence: string) {
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([503, { errors: [sentence] }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  }

  it.each<[string, Playback]>([
    ['stream goes away and is unknown', { kind: 'unknown' }],
    ['stream goes away and is off-air', { kind: 'off-air' }],
    [
      'rendition is another one',
      { kind: 'playable', multivariant: 'on-air', renditions: [{ name: 'source', store: createSegmentStore() }] },
    ],
  ])('is answered with 503 when the %s', async (_name, playback) => {
    const { answers, directory, store } = await startWaiting();
    directory.playback = playback;
    store.end();
    expectRefused(await answers, 'The stream is gone.');
  });

  it('is answered with 503 when the service closes', async () => {
    const { answers, app } = await startWaiting();
    await app.close();
    expectRefused(await answers, 'Tallylight is closing.');
  });

  it('learns over its connection that the service closes, before that is cut', async () => {
    const { app } = await startShow();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const allHere = new Promise<void>((resolve) => {
      let missing = waitingFor.length;
      app.server.on('request', () => {
        missing -= 1;
        if (missing === 0) resolve();
      });
    });
    const answers = waitingFor.map((path) => fetch(`http://127.0.0.1:${port}/hls/show/source/${path}`));
    await allHere;
    await app.close();
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, await answer.json()]).toEqual([503, { errors: ['Tallylight is closing.'] }]);
    }
  });

  it('is answered with 503 after three target durations', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const { answers } = await startWaiting();
      vi.advanceTimersByTime(5_900);
      expect(await waits(answers)).toBe(true);
      vi.advanceTimersByTime(350);
      expectRefused(await answers, 'What you asked for did not arrive in time.');
    } finally {
      vi.useRealTimers();
    }
  });
});

it('a part is served, and a request for the next one waits', async () => {
  const { get, store } = await startShow();
  expect((await get('2-1.m4s')).body).toBe('second');
  expect((await get('2-1.m4s')).headers).toMatchObject({ 'content-type': 'video/iso.segment', 'content-length': '6' });
  const early = get('2-2.m4s');
  expect(await waits(early)).toBe(true);
  store.addPart(part('third'));
  expect((await early).body).toBe('third');
  expect((await get('2-9.m4s')).statusCode).toBe(404);
});

it('a hinted part that does not come, since the segment is whole, is not found', async () => {
  const { get, store } = await startShow();
  const early = get('2-2.m4s');
  expect(await waits(early)).toBe(true);
  completeSegment(store, packagedSegment({ parts: [part('first'), part('second')] }));
  expect([(await early).statusCode, (await early).json()]).toEqual([
    404,
    { errors: ['This part does not exist or is no longer available.'] },
  ]);
});

it('a segment is its parts one after another, and so is a range of it', async () => {
  const { app, get } = await startShow();
  const whole = await get('1.m4s');
  expect([whole.body, whole.headers['content-length']]).toEqual(['abc', '3']);
  const range = await app.inject({ url: '/hls/show/source/1.m4s', headers: { range: 'bytes=0-1' } });
  expect([range.statusCode, range.body, range.headers['content-range']]).toEqual([206, 'ab', 'bytes 0-1/3']);
});
