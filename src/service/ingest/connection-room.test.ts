import { expect, test } from 'vitest';
import { ConnectionRoom } from './connection-room.ts';

interface Visitor {
  name: string;
  remoteAddress: string;
  isPublishing: boolean;
}

/** A room that visitors enter as the server lets them; `names` are those in it. */
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

test('of one address, the one that has waited longest makes room for the next', () => {
  const { enter, names } = openRoom();
  for (const name of ['a1', 'a2']) enter(name, '192.0.2.1');
  enter('b1', '192.0.2.2');
  enter('a3', '192.0.2.1');
  expect(names()).toBe('a2 b1 a3');
});

test('those who publish do not count as waiting, and are not sent away', () => {
  const { enter, names } = openRoom();
  for (const name of ['p1', 'p2', 'p3']) enter(name, '192.0.2.1', true);
  for (const name of ['a1', 'a2', 'a3']) enter(name, '192.0.2.1');
  expect(names()).toBe('p1 p2 p3 a2 a3');
});

test('more may wait at an address from which a right key has come, its whole /64', () => {
  const { room, enter, names } = openRoom();
  room.noteKnown('2001:db8::1');
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter(name, '2001:db8::2');
  expect(names()).toBe('a2 a3 a4 a5');
});

test('in a full room the address with most who wait makes room, and nobody where all publish', () => {
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

test('of very many addresses the one that published longest ago is forgotten', () => {
  const { room, enter, names } = openRoom();
  room.noteKnown('192.0.2.1');
  for (let index = 0; index < 4_096; index += 1) room.noteKnown(`other ${index}`);
  for (const name of ['a1', 'a2', 'a3']) enter(name, '192.0.2.1');
  expect(names()).toBe('a2 a3');
});
