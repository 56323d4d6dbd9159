import { expect, test } from 'vitest';
import { unpackAggregate } from './aggregate.ts';
import { formatStatus, parseCommand, parseStatusInfo, withoutAmf3Prefix } from './commands.ts';
import {
  formatAcknowledgement,
  formatSetChunkSize,
  formatSetPeerBandwidth,
  formatUserControl,
  formatWindowAcknowledgementSize,
  parseUserControl,
  type RtmpMessage,
} from './messages.ts';
import { RtmpProtocolError } from './protocol-error.ts';

function messageOf(typeId: number, hex: string, timestampMs = 0): RtmpMessage {
  return { typeId, streamId: 1, timestampMs, payload: Buffer.from(hex.replaceAll(' ', ''), 'hex') };
}

test.each<[string, RtmpMessage, number, string]>([
  ['Set Chunk Size', formatSetChunkSize(4096), 1, '00001000'],
  ['Acknowledgement', formatAcknowledgement(2 ** 32 + 5), 3, '00000005'],
  ['User Control', formatUserControl(7, 0x01020304), 4, '000701020304'],
  ['Window Acknowledgement Size', formatWindowAcknowledgementSize(2_500_000), 5, '002625a0'],
  ['Set Peer Bandwidth', formatSetPeerBandwidth(2_500_000), 6, '002625a002'],
])('%s is formatted on the control stream', (_, { payload, ...rest }, typeId, hex) => {
  expect(rest).toEqual({ typeId, streamId: 0, timestampMs: 0 });
  expect(payload.toString('hex')).toBe(hex);
});

test('a user control message without a value is read, one without an event is rejected', () => {
  expect(parseUserControl(messageOf(4, '0006 00000009'))).toEqual({ event: 6, value: 9 });
  expect(parseUserControl(messageOf(4, '0020 00'))).toEqual({ event: 0x20, value: undefined });
  expect(() => parseUserControl(messageOf(4, '00'))).toThrow(RtmpProtocolError);
});

test('a command is read from AMF0, and from AMF3 behind its format byte', () => {
  const hex = '02 0004 74657374 00 4000000000000000 05 02 0001 61';
  const command = { name: 'test', transactionId: 2, values: [null, 'a'] };
  expect(parseCommand(messageOf(20, hex), 16)).toEqual(command);
  expect(parseCommand(messageOf(17, `00 ${hex}`), 16)).toEqual(command);
  expect(withoutAmf3Prefix(Buffer.from([2, 0]))).toEqual(Buffer.from([2, 0]));
});

test('a command without a transaction id expects no reply, one without a name is rejected', () => {
  expect(parseCommand(messageOf(20, '02 0001 61'), 16)).toEqual({ name: 'a', transactionId: 0, values: [] });
  expect(() => parseCommand(messageOf(20, '05'), 16)).toThrow(new RtmpProtocolError('A command has no name.'));
  expect(() => parseCommand(messageOf(20, ''), 16)).toThrow(RtmpProtocolError);
});

test('a command over 64 KiB is rejected before parsing', () => {
  expect(() => parseCommand({ ...messageOf(20, ''), payload: Buffer.alloc(64 * 1024 + 1) }, 16)).toThrow(
    new RtmpProtocolError('A command is too long.'),
  );
});

test('a status parses back', () => {
  const info = { level: 'error' as const, code: 'NetStream.Publish.BadName', description: 'No.' };
  const { values, ...rest } = parseCommand(formatStatus(1, info), 16);
  expect(rest).toEqual({ name: 'onStatus', transactionId: 0 });
  expect(parseStatusInfo(values[1])).toEqual(info);
  expect(parseStatusInfo(new Map(Object.entries(info)))).toEqual(info);
  expect([null, 'x', 1, [], { level: 'odd', code: 1 }].map(parseStatusInfo)).toEqual([{}, {}, {}, {}, {}]);
});

test('an aggregate is unpacked, and its messages keep their distances', () => {
  const audio = '08 000002 000064 00 000000 af01 0000000d';
  const video = '09 000001 000074 01 000000 17 0000000c';
  expect([...unpackAggregate(messageOf(22, audio + video, 1000))]).toEqual([
    { typeId: 8, streamId: 1, timestampMs: 1000, payload: Buffer.from('af01', 'hex') },
    { typeId: 9, streamId: 1, timestampMs: 1000 + 0x10 + 2 ** 24, payload: Buffer.from('17', 'hex') },
  ]);
});

test('timestamps inside an aggregate wrap at 32 bits as all do', () => {
  const [audio, video] = ['08 000000 000064 00 000000 0000000b', '09 000000 000074 00 000000 0000000b'];
  const stamps = [...unpackAggregate(messageOf(22, audio + video, 2 ** 32 - 8))].map(({ timestampMs }) => timestampMs);
  expect(stamps).toEqual([2 ** 32 - 8, 8]);
});

test.each([
  ['is truncated in a header', '08 000002 0000'],
  ['is truncated in a body', '08 000002 000064 00 000000 af'],
  ['is inside another', '16 000000 000000 00 000000'],
])('an aggregate that %s is rejected', (_, hex) => {
  expect(() => [...unpackAggregate(messageOf(22, hex))]).toThrow(RtmpProtocolError);
});
