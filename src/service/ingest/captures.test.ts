import { describe, expect, test } from 'vitest';
import { startIngestStand } from '../../../test/support/ingest-stand.ts';
import { type CaptureName, captureNames, readCapture, readCaptureMedia } from '../../../test/support/rtmp-captures.ts';

const streamKeys: Record<CaptureName, string> = {
  ffmpeg: 'thrw-away0-key0-ffmp',
  'ffmpeg-b-frames': 'thrw-away0-key0-bfrm',
  'ffmpeg-extended-timestamps': 'thrw-away0-key0-extd',
  gstreamer: 'thrw-away0-key0-gstr',
  obs: 'thrw-away0-key0-obs0',
};

/** Sends a capture in pieces and waits until each has been read. */
async function replay(capture: Buffer, pieceBytes: number) {
  await using stand = await startIngestStand();
  const socket = await stand.connect();
  socket.resume();
  for (let at = 0; at < capture.length; at += pieceBytes) {
    await new Promise((resolve) => socket.write(capture.subarray(at, at + pieceBytes), resolve));
  }
  socket.end();
  await stand.allGone();
  return { publishers: stand.publishers, reasons: stand.reasons() };
}

describe.each(captureNames)('what %s sent', (name) => {
  test.each([[1 << 20], [1_000], [7]])(
    'in pieces of up to %i bytes gives its stream key, every unit and a clean end',
    async (pieceBytes) => {
      const { publishers, reasons } = await replay(readCapture(name), pieceBytes);
      expect(reasons).toEqual([]);
      expect(publishers.map(({ streamKey, ends }) => ({ streamKey, ends }))).toEqual([
        { streamKey: streamKeys[name], ends: [{ kind: 'unpublished' }] },
      ]);
      expect(publishers[0]?.received).toEqual(readCaptureMedia(name));
    },
  );

  test('cut off in the middle gives the units so far and a lost publisher', async () => {
    const capture = readCapture(name);
    const { publishers, reasons } = await replay(capture.subarray(0, capture.length / 2), 1 << 20);
    const received = publishers[0]?.received ?? [];
    expect(reasons).toEqual([]);
    expect(received.length).toBeGreaterThan(10);
    expect(readCaptureMedia(name).slice(0, received.length)).toEqual(received);
    expect(publishers[0]?.ends).toEqual([{ kind: 'lost', cause: { code: 'closed' } }]);
  });
});

test('at debug level every command is logged by name, without the stream key', async () => {
  await using stand = await startIngestStand({ logLevel: 'debug' });
  const socket = await stand.connect();
  socket.resume();
  socket.end(readCapture('obs'));
  await stand.allGone();
  expect(stand.logLines.filter(({ level }) => level === 20).map(({ command }) => command)).toEqual([
    'connect',
    'releaseStream',
    'FCPublish',
    'createStream',
    'publish',
    'FCUnpublish',
    'deleteStream',
  ]);
  expect(JSON.stringify(stand.logLines)).not.toContain(streamKeys.obs);
});
