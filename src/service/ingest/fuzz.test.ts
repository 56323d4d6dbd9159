import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSocketCount } from '../../../test/support/accounting.ts';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { type IngestStand, startIngestStand } from '../../../test/support/ingest-stand.ts';
import { openRawPublisher } from '../../../test/support/raw-publisher.ts';
import { captureNames, clientHandshakeBytes, readCapture } from '../../../test/support/rtmp-captures.ts';
import { soon } from '../../../test/support/soon.ts';
import { formatWindowAcknowledgementSize, messageType } from '../rtmp/messages.ts';

type Mutation =
  | { kind: 'set'; at: number; bytes: Uint8Array }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  | { kind: 'remove'; at: number; count: number }
  | { kind: 'repeat'; at: number; count: number }
  | { kind: 'end'; at: number };

/** Positions of mutations: half of them are in the first kilobyte, among the commands, where they hurt. */
const place = fc.oneof(fc.nat(1_000), fc.nat(60_000));
const fewBytes = fc.uint8Array({ minLength: 1, maxLength: 12 });
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: place, bytes: fewBytes }),
  fc.record({ kind: fc.constant('insert' as const), at: place, bytes: fewBytes }),
  fc.record({ kind: fc.constant('remove' as const), at: place, count: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('repeat' as const), at: place, count: fc.integer({ min: 1, max: 2_000 }) }),
  fc.record({ kind: fc.constant('end' as const), at: place }),
);

/** The capture with mutations after its handshake. */
function mutate(capture: Buffer, mutations: readonly Mutation[]): Buffer {
  return Buffer.concat([
    capture.subarray(0, clientHandshakeBytes),
    mutations.reduce(mutateOnce, capture.subarray(clientHandshakeBytes)),
  ]);
}

function mutateOnce(bytes: Buffer, { at, ...how }: Mutation): Buffer {
  const before = bytes.subarray(0, at);
  switch (how.kind) {
    case 'set':
      return Buffer.concat([before, how.bytes, bytes.subarray(at + how.bytes.length)]);
    case 'insert':
      return Buffer.concat([before, how.bytes, bytes.subarray(at)]);
    case 'remove':
      return Buffer.concat([before, bytes.subarray(at + how.count)]);
    case 'repeat':
      return Buffer.concat([before, bytes.subarray(at, at + how.count), bytes.subarray(at)]);
    case 'end':
      return before;
  }
}

/** Bytes in the process's buffers and heap after garbage collection. */
async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Sends the bytes as a publisher that then disconnects, and waits until the server has noticed. */
async function abuse(stand: IngestStand, bytes: Buffer): Promise<void> {
  const socket = await stand.connect();
  socket.resume();
  socket.end(bytes);
  await stand.allGone();
}

function forget(stand: IngestStand): void {
  stand.publishers.length = 0;
  stand.askedKeys.length = 0;
  stand.logLines.length = 0;
}

/** The server still accepts a valid publisher, and each admitted one has ended once. */
async function expectUnharmed(stand: IngestStand): Promise<void> {
  expect(stand.publishers.map(({ ends }) => ends.length)).toEqual(stand.publishers.map(() => 1));
  expect(stand.logLines.filter(({ level }) => level >= 50)).toEqual([]);
  const publisher = await openRawPublisher(await stand.connect());
  await publisher.publish('good');
  expect(publisher.statuses()).toEqual(['NetStream.Publish.Start: The stream may be sent.']);
  publisher.socket.destroy();
  await stand.allGone();
  forget(stand);
}

test('mutated captures of real publishers end only their own connection, and leak no socket or memory', async () => {
  await using stand = await startIngestStand();
  const captures = captureNames.map(readCapture);
  for (const capture of captures) await abuse(stand, capture);
  forget(stand);
  const socketsBefore = openSocketCount();
  const before = await heldBytes();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...captures),
      fc.array(mutation, { minLength: 1, maxLength: 5 }),
      async (capture, mutations) => {
        await abuse(stand, mutate(capture, mutations));
        await expectUnharmed(stand);
      },
    ),
    { numRuns: 800 },
  );
  await soon(() => expect(openSocketCount()).toBeLessThanOrEqual(socketsBefore));
  // Twenty times as much was sent in total.
  expect((await heldBytes()) - before).toBeLessThan(4 * 1024 * 1024);
}, 60_000);

test('random bytes after a handshake, or instead of one, do no harm', async () => {
  await using stand = await startIngestStand();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), fc.boolean(), async (bytes, withHandshake) => {
      const handshake = withHandshake ? readCapture('ffmpeg').subarray(0, clientHandshakeBytes) : Buffer.alloc(0);
      await abuse(stand, Buffer.concat([handshake, bytes]));
      await expectUnharmed(stand);
    }),
    { numRuns: 400 },
  );
}, 60_000);

test('publishers that announce much and send little use little memory', async () => {
  await using stand = await startIngestStand();
  const announce16MiB = Buffer.from('08000000ffffff0901000000170100', 'hex');
  const publishers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const publisher = await openRawPublisher(await stand.connect());
      await publisher.publish('good');
      publisher.send(formatWindowAcknowledgementSize(1), 2);
      return publisher;
    }),
  );
  const before = await heldBytes();
  for (const { socket } of publishers) socket.write(announce16MiB);
  // With a window of one byte the server acknowledges everything it has read.
  await soon(() => {
    for (const { socket, messages } of publishers) {
      const acknowledged = messages.findLast(({ typeId }) => typeId === messageType.acknowledgement);
      expect(acknowledged?.payload.readUInt32BE()).toBe(socket.bytesWritten);
    }
  });
  expect((await heldBytes()) - before).toBeLessThan(40 * 512 * 1024);
});
