import { expect, it } from 'vitest';
import { formatMultivariantPlaylist } from './multivariant-playlist.ts';

it('lists variants with their known attributes', () => {
  const text = formatMultivariantPlaylist([
    {
      uri: 'source/index.m3u8',
      bandwidthBps: 3_100_000.2,
      averageBandwidthBps: 2_900_000,
      codecs: ['avc1.64001f', 'mp4a.40.2'],
      resolution: { width: 1280, height: 720 },
      fps: 30_000 / 1001,
    },
    { uri: 'sound/index.m3u8', bandwidthBps: 170_000, averageBandwidthBps: 165_000, codecs: ['mp4a.40.2'] },
  ]);
  expect(text).toBe(`#EXTM3U
#EXT-X-VERSION:6
#EXT-X-STREAM-INF:BANDWIDTH=3100001,AVERAGE-BANDWIDTH=2900000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970
source/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=170000,AVERAGE-BANDWIDTH=165000,CODECS="mp4a.40.2"
sound/index.m3u8
`);
});

it.each([
  [16, ',VIDEO-RANGE=PQ'],
  [18, ',VIDEO-RANGE=HLG'],
  [1, ''],
  [undefined, ''],
])('says the range of the transfer characteristics %s: %j', (transfer, attribute) => {
  const variant = { uri: 'source/index.m3u8', bandwidthBps: 2, averageBandwidthBps: 1, codecs: ['hvc1.2.4.L120.90'] };
  const text = formatMultivariantPlaylist([{ ...variant, ...(transfer !== undefined && { transfer }) }]);
  expect(text.split('\n')[2]).toBe(`#EXT-X-STREAM-INF:BANDWIDTH=2,AVERAGE-BANDWIDTH=1,CODECS="hvc1.2.4.L120.90"${attribute}`);
});

it('says where to begin', () => {
  expect(formatMultivariantPlaylist([], -7.25)).toBe('#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-START:TIME-OFFSET=-7.250\n');
});
