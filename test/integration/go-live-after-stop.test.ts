import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { lightEncode } from '../support/light-encode.ts';
import { loopedFile } from '../support/looped-file.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

test('after Stop, a failed Go live admits nobody, and a successful one admits our own publisher', async () => {
  await using host = await startTestService();
  const { app, folder } = host;
  const { id: streamId } = await app.stream.create({ name: 'Sunday show' });
  const encoder = await host.publish(streamId);
  await app.broadcast.stop({ streamId });
  await encoder.closed;
  const readHold = async () => (await waitUntil(await app.stream.watch({ streamId }), () => true)).hold;
  const hold = await readHold();
  expect(hold).toEqual({ id: hold?.since, since: expect.any(Number), isForeign: false });

  const missing = loopedFile(join(folder, 'nothing.mp4'));
  await expect(app.broadcast.goLive({ streamId, source: missing })).rejects.toMatchObject({ code: 'SOURCE_FAILED' });
  expect(await readHold()).toEqual(hold);

  const broken = join(folder, 'broken.mp4');
  await writeFile(broken, 'This is no film.');
  await app.broadcast.goLive({ streamId, source: loopedFile(broken) });
  const failed = await waitUntil(await app.stream.watch({ streamId }), ({ oneClick }) => oneClick.kind === 'failed');
  expect(failed.hold).toEqual(hold);

  await app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  const live = await waitUntil(await app.stream.watch({ streamId }), ({ stream }) => stream.air.kind === 'on-air');
  expect(live.hold).toBeUndefined();
  await app.broadcast.stop({ streamId });
});
