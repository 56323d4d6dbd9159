import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { appendSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { createHttpServer } from '../http/http-server.ts';
import { playbackRoutes } from './hls-routes.ts';
import type { Playback } from './playback-directory.ts';

/** A server with one stream, `show`, whose source has two segments, or none yet if it is `empty`. */
async function startShow(kind: 'on-air' | 'empty' | 'ended' | 'off-air' = 'on-air') {
  const store = createSegmentStore();
  const media = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
  if (kind !== 'empty') {
    appendSegment(store, packagedSegment({ bytes: media, discontinuity: true }));
    appendSegment(store, packagedSegment({ bytes: Buffer.alloc(500) }));
  }
  if (kind === 'ended') store.end();
  const app = createHttpServer({ log: pino({ level: 'silent' }) });
  const find = (playbackId: string): Playback => {
    if (playbackId !== 'show') return { kind: 'unknown' };
    if (kind === 'off-air') return { kind: 'off-air' };
    return { kind: 'playable', multivariant: kind === 'ended' ? kind : 'on-air', renditions: [{ name: 'source', store }] };
  };
  await app.register(playbackRoutes({ find }), { prefix: '/hls' });
  return { app, store, media };
}

const offAir = { errors: ['The stream is off air; playback begins when it goes live.'] };

describe('playback', () => {
  it('serves the multivariant playlist, measured', async () => {
    const { app } = await startShow();
    const answer = await app.inject('/hls/show/index.m3u8');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.apple.mpegurl',
      'cache-control': 'public, max-age=1',
      vary: 'Accept-Encoding',
    });
    expect(answer.body).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-STREAM-INF:BANDWIDTH=4000,AVERAGE-BANDWIDTH=3000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000
source/index.m3u8
`);
  });

  it('serves the media playlist', async () => {
    const { app } = await startShow();
    const answer = await app.inject('/hls/show/source/index.m3u8');
    expect(answer.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(answer.body).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6,PART-HOLD-BACK=4.000
#EXT-X-PART-INF:PART-TARGET=2.00000
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-MAP:URI="init-a1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z
#EXT-X-PART:DURATION=2.00000,URI="0-0.m4s",INDEPENDENT=YES
#EXTINF:2.00000,
0.m4s
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z
#EXT-X-PART:DURATION=2.00000,URI="1-0.m4s",INDEPENDENT=YES
#EXTINF:2.00000,
1.m4s
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="2-0.m4s"
`);
  });

  it('compresses playlists for clients that accept it, and answers 304 to clients that have the playlist', async () => {
    const { app, store } = await startShow();
    const plain = await app.inject('/hls/show/source/index.m3u8');
    const packed = await app.inject({ url: '/hls/show/source/index.m3u8', headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.headers.etag).toBe(plain.headers.etag);
    const again = () =>
      app.inject({ url: '/hls/show/source/index.m3u8', headers: { 'if-none-match': String(plain.headers.etag) } });
    const unchanged = await again();
    expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', plain.headers.etag]);
    appendSegment(store, packagedSegment());
    expect((await again()).statusCode).toBe(200);
  });

  it.each([
    [1, 1],
    [2, 1],
    [7, 3],
  ])('lets caches share a media playlist with a target duration of %i s for %i s', async (durationSeconds, cachedSeconds) => {
    const { app, store } = await startShow('empty');
    appendSegment(store, packagedSegment({ durationSeconds }));
    const answer = await app.inject('/hls/show/source/index.m3u8');
    expect(answer.headers['cache-control']).toBe(`public, max-age=${cachedSeconds}`);
  });

  it('has neither playlist of a rendition before its first segment, and says when to ask again', async () => {
    const { app } = await startShow('empty');
    for (const path of ['index.m3u8', 'source/index.m3u8', 'source/index.m3u8?_HLS_msn=0&_HLS_part=0']) {
      const answer = await app.inject(`/hls/show/${path}`);
      expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([404, offAir, '2']);
    }
  });

  it('has no media of a segment that is a gap', async () => {
    const { app, store } = await startShow();
    const { msn } = appendSegment(store, packagedSegment({ gap: true }));
    const answer = await app.inject(`/hls/show/source/${msn}.m4s`);
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { errors: ['This segment does not exist or is no longer available.'] },
    ]);
  });

  it('serves init and media segments, cacheable for good', async () => {
    const { app, media } = await startShow();
    const init = await app.inject('/hls/show/source/init-a1.mp4');
    expect([init.statusCode, init.body, init.headers['content-type']]).toEqual([200, 'init a1', 'video/mp4']);
    const segment = await app.inject('/hls/show/source/0.m4s');
    expect(segment.rawPayload).toEqual(media);
    expect(segment.headers).toMatchObject({
      'content-type': 'video/iso.segment',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const { etag } = segment.headers;
    const unchanged = await app.inject({ url: '/hls/show/source/0.m4s', headers: { 'if-none-match': String(etag) } });
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
  });

  it('serves a range of a segment', async () => {
    const { app, media } = await startShow();
    const get = (headers: Record<string, string>) => app.inject({ url: '/hls/show/source/0.m4s', headers });
    const part = await get({ range: 'bytes=300-309' });
    expect([part.statusCode, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      'bytes 300-309/1000',
      '10',
    ]);
    expect(part.rawPayload).toEqual(media.subarray(300, 310));
    const beyond = await get({ range: 'bytes=1000-' });
    expect([beyond.statusCode, beyond.headers['content-range'], beyond.json()]).toEqual([
      416,
      'bytes */1000',
      { errors: ['The range is outside the 1000 bytes there are.'] },
    ]);
    const { etag } = part.headers;
    expect((await get({ range: 'bytes=0-1', 'if-range': String(etag) })).statusCode).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"another"' })).statusCode).toBe(200);
  });

  it('answers HEAD as GET, without the body', async () => {
    const { app } = await startShow();
    for (const path of ['index.m3u8', 'source/index.m3u8', 'source/init-a1.mp4', 'source/1.m4s']) {
      const [head, get] = await Promise.all(
        (['HEAD', 'GET'] as const).map((method) => app.inject({ method, url: `/hls/show/${path}` })),
      );
      const { date: _, ...headers } = get?.headers ?? {};
      expect([head?.statusCode, head?.body]).toEqual([200, '']);
      expect(head?.headers).toMatchObject(headers);
    }
  });

  it.each(['bytes=300-309', 'bytes=1000-'])('answers HEAD with the whole, whatever range it asks for: %s', async (range) => {
    const { app } = await startShow();
    const head = await app.inject({ method: 'HEAD', url: '/hls/show/source/0.m4s', headers: { range } });
    expect([head.statusCode, head.headers['content-length'], head.headers['content-range']]).toEqual([200, '1000', undefined]);
  });

  it('may be read from any origin, even its errors', async () => {
    const { app } = await startShow();
    const headers = { origin: 'https://player.example' };
    for (const url of ['/hls/show/index.m3u8', '/hls/show/source/0.m4s', '/hls/nothing/index.m3u8', '/hls/show/source/9.m4s']) {
      const answer = await app.inject({ url, headers });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-expose-headers']).toContain('Content-Range');
    }
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/hls/show/source/0.m4s',
      headers: { ...headers, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'range',
    });
  });

  it('answers OPTIONS that is no preflight, too', async () => {
    const { app } = await startShow();
    for (const headers of [{}, { origin: 'https://player.example' }]) {
      const answer = await app.inject({ method: 'OPTIONS', url: '/hls/show/index.m3u8', headers });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    }
  });

  it('lets pages read how long a cache has had an answer', async () => {
    const { app } = await startShow();
    const answer = await app.inject({ url: '/hls/show/source/index.m3u8', headers: { origin: 'https://player.example' } });
    expect(String(answer.headers['access-control-expose-headers']).split(', ')).toContain('Age');
  });

  it.each([
    ['/hls/nothing/index.m3u8', 'No stream has this playback id.'],
    ['/hls/nothing/source/index.m3u8', 'No stream has this playback id.'],
    ['/hls/show/720p/index.m3u8', 'The stream has no such rendition.'],
    ['/hls/show/source/2.m4s', 'This segment does not exist or is no longer available.'],
    ['/hls/show/source/zero.m4s', 'This segment does not exist or is no longer available.'],
    ['/hls/show/source/init-b2.mp4', 'This init segment does not exist or is no longer available.'],
    ['/hls/show/source/other.txt', 'There is nothing at this path.'],
  ])('knows nothing of %s', async (url, sentence) => {
    const { app } = await startShow();
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.json()]).toEqual([404, { errors: [sentence] }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('says when to ask again about a stream that is off air', async () => {
    const { app } = await startShow('off-air');
    for (const path of ['index.m3u8', 'source/index.m3u8', 'source/0.m4s']) {
      const answer = await app.inject(`/hls/show/${path}`);
      expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([404, offAir, '2']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('lets players finish a session that has ended, and is off air for new ones', async () => {
    const { app } = await startShow('ended');
    const multivariant = await app.inject('/hls/show/index.m3u8');
    expect([multivariant.statusCode, multivariant.json()]).toEqual([404, offAir]);
    expect((await app.inject('/hls/show/source/index.m3u8')).body).toMatch(/#EXT-X-ENDLIST\n$/);
    expect((await app.inject('/hls/show/source/1.m4s')).statusCode).toBe(200);
  });

  it('accepts no other method, and says so to pages of any origin', async () => {
    const { app } = await startShow();
    for (const url of ['/hls/show/index.m3u8', '/hls/show/source/index.m3u8', '/hls/show/source/0.m4s']) {
      const answer = await app.inject({ method: 'DELETE', url });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Allow',
      });
    }
  });
});
