import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Few computers that run tests have a camera, or the module v4l2loopback. */
const hasCamera = process.platform === 'linux' && existsSync('/dev/video0');

test.skipIf(!hasCamera)('a camera of Video4Linux is listed, previewed and on air', async () => {
  await using stage = await startTestService();
  const { app } = stage;
  const { cameras } = await waitUntil(await app.source.watchDevices(), (list) => list.cameras.length > 0);
  const [camera] = cameras;
  if (camera === undefined) throw new Error('No camera is listed.');
  const { id, name } = camera;
  const source = { picture: { main: { kind: 'camera' as const, device: { id, name } } }, sound: { inputs: [], limits: false } };
  const preview = await waitUntil(await app.source.watchPreview({ source }), ({ jpeg }) => jpeg !== undefined);
  expect(preview.away).toEqual([]);
  const { id: streamId } = await app.stream.create({ name: 'Camera' });
  await app.broadcast.goLive({ streamId, source, encode: { kind: 'by-hand', settings: encodePresets['720p30'] } });
  const live = await waitUntil(await app.stream.watch({ streamId }), ({ session }) => (session?.sourceSegments ?? 0) >= 2);
  expect(live.oneClick).toMatchObject({ kind: 'running', away: [] });
  await app.broadcast.stop({ streamId });
});
