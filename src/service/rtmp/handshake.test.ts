import { expect, test } from 'vitest';
import { createClientHandshake, createServerHandshake, NotRtmpError, TlsError } from './handshake.ts';

const c1 = Buffer.alloc(1536, 'c1');
const clientBytes = Buffer.concat([Buffer.from([3]), c1, Buffer.alloc(1536, 'c2'), Buffer.from('after')]);

test('the server replies with its version, a plain S1 and an exact copy of C1', () => {
  const { reply, rest } = createServerHandshake().push(clientBytes.subarray(0, 1537));
  expect(rest).toBeUndefined();
  expect(reply?.length).toBe(1 + 1536 + 1536);
  expect(reply?.subarray(0, 9)).toEqual(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0]));
  expect(reply?.subarray(1537)).toEqual(c1);
});

test('bytes after C2 are passed on, whatever C2 is', () => {
  const handshake = createServerHandshake();
  expect(handshake.push(clientBytes)).toEqual({ reply: expect.any(Buffer), rest: Buffer.from('after') });
});

test('bytes may arrive one by one', () => {
  const handshake = createServerHandshake();
  const steps = [...clientBytes.subarray(0, 3073)].map((byte) => handshake.push(Buffer.from([byte])));
  expect(steps.flatMap(({ reply }, index) => (reply ? [index] : []))).toEqual([1536]);
  expect(steps.flatMap(({ rest }, index) => (rest ? [index] : []))).toEqual([3072]);
  expect(steps.at(-1)?.rest).toEqual(Buffer.alloc(0));
});

test.each([1, 1537, 2000, 3073])('bytes after C2 are passed on if the handshake arrives in pieces, cut at byte %i', (cut) => {
  const handshake = createServerHandshake();
  handshake.push(clientBytes.subarray(0, cut));
  expect(handshake.push(clientBytes.subarray(cut)).rest).toEqual(Buffer.from('after'));
});

test('client and server complete the handshake with each other', () => {
  const client = createClientHandshake();
  const server = createServerHandshake();
  expect(server.opening).toBeUndefined();
  const opening = client.opening ?? Buffer.alloc(0);
  expect(opening.subarray(0, 9)).toEqual(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0]));
  const fromServer = server.push(opening).reply ?? Buffer.alloc(0);
  const atClient = client.push(fromServer);
  expect(atClient).toEqual({ reply: fromServer.subarray(1, 1537), rest: Buffer.alloc(0) });
  expect(server.push(atClient.reply ?? Buffer.alloc(0)).rest).toEqual(Buffer.alloc(0));
});

test.each([
  [0x47, 'HTTP'],
  [6, 'RTMPE'],
  [0, 'nothing known'],
])('a first byte of %i, which is %s, is rejected at once', (byte) => {
  expect(() => createServerHandshake().push(Buffer.from([byte]))).toThrow(
    new NotRtmpError(`The client does not speak RTMP: its first byte is ${byte}, not 3.`, byte),
  );
});

test('TLS is rejected with its own error', () => {
  expect(() => createServerHandshake().push(Buffer.from([0x16]))).toThrow(new TlsError('The peer speaks TLS, not RTMP.', 0x16));
});
