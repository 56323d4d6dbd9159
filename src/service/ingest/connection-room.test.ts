import { expect, test } from 'vitest';
import { ConnectionRoom } from './connection-room.ts';

interface Visitor {
  name: string;
  remoteAddress: string;
  isPublishing: boolean;
}

/** Admits visitors as the server does; `names` lists those connected. */
function openRoom({ maxConnections = 10, maxWaitingPerAddress = 2, maxWaitingPerKnownAddress = 4 } = {}) {
  const room = new ConnectionRoom<Visitor>({ maxConnections, maxWaitingPerAddress, maxWaitingPerKnownAddress });
  const enter = (name: string, remoteAddress: string, isPublishing = false) => {
    const leaver = room.findLeaver(remoteAddress);
    if (leaver === 'full') return;
    if (leaver !== 'nobody') room.delete(leaver);
    room.add({ name, remoteAddress, isPublishing });
  };
  return { room, enter, names: () => [...room.connections].map(({ name }) => name).join(' ') };
}

test('a new connection replaces the longest-waiting one of its address', () => {
  const { enter, names } = openRoom();
  for (const name of ['a1', 'a2']) enter(name, '192.0.2.1');
  enter('b1', '192.0.2.2');
  enter('a3', '192.0.2.1');
  expect(names()).toBe('a2 b1 a3');
});

test('publishing connections do not count as waiting and are not closed', () => {
  const { enter, names } = openRoom();
  for (const name of ['p1', 'p2', 'p3']) enter(name, '192.0.2.1', true);
  for (const name of ['a1', 'a2', 'a3']) enter(name, '192.0.2.1');
  expect(names()).toBe('p1 p2 p3 a2 a3');
});

test('a room with space left is not full, even if all of its connections publish', () => {
  const { room, enter } = openRoom({ maxConnections: 2 });
  const seen = [room.isFull];
  for (const name of ['p1', 'p2']) {
    enter(name, '192.0.2.1', true);
    seen.push(room.isFull);
  }
  expect(seen).toEqual([false, false, true]);
});

test('more may wait from an address, or its /64, that has sent a valid key', () => {
  const { room, enter, names } = openRoom();
  room.noteKnown('2001:db8::1');
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter(name, '2001:db8::2');
  expect(names()).toBe('a2 a3 a4 a5');
});

test('at the limit, the address with most waiting connections makes room, but never a publisher', () => {
  const { room, enter, names } = openRoom({ maxConnections: 4 });
  enter('p', '192.0.2.9', true);
  enter('a1', '192.0.2.1');
  for (const name of ['b1', 'b2']) enter(name, '192.0.2.2');
  enter('c1', '192.0.2.3');
  expect(names()).toBe('p a1 b2 c1');
  expect(room.isFull).toBe(false);
  for (const connection of room.connections) connection.isPublishing = true;
  enter('d', '192.0.2.4');
  expect(names()).toBe('p a1 b2 c1');
  expect(room.isFull).toBe(true);
});

test('beyond the limit, the address that published longest ago is forgotten', () => {
  const { room, enter, names } = openRoom();
  room.noteKnown('192.0.2.1');
  for (let index = 0; index < 4_096; index += 1) room.noteKnown(`other ${index}`);
  for (const name of ['a1', 'a2', 'a3']) enter(name, '192.0.2.1');
  expect(names()).toBe('a2 a3');
});
