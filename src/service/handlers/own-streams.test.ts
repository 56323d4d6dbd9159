import { expect, test, vi } from 'vitest';
import { makeDiskFault } from '../../../test/support/disk-fault.ts';
import { createOwnStreams, type OwnStreamsOptions } from './own-streams.ts';

/** The streams of a service whose store can't be read, and a record of their calls. */
function openUnreadable({ isLive = false, oneClick = 'idle' }) {
  const fault = makeDiskFault();
  const unreadable = () => {
    throw fault;
  };
  const done: unknown[] = [];
  const note = (what: string) => vi.fn((...values: unknown[]) => void done.push([what, ...values]));
  const live = { sessionId: 'session1', letIn: note('letIn'), setRenditions: note('setRenditions'), note: note('line') };
  const options = {
    streams: { getKeyless: unreadable },
    registry: { findLive: () => (isLive ? live : undefined), open: unreadable },
    live: { endSession: note('endSession') },
    oneClicks: { state: () => ({ kind: oneClick }), stop: note('stopOneClick') },
    views: { facts: () => ({ air: { kind: 'on-air', sessionId: 'session1' }, heardMs: 5 }) },
    silences: { accept: note('accept') },
    changes: { emit: note('changed') },
  };
  return { own: createOwnStreams(options as unknown as OwnStreamsOptions), done, fault };
}

test('while the store cannot be read, a broadcast obeys the user as before', async () => {
  const { own, done } = openUnreadable({ isLive: true });
  own.letIn('show');
  own.setRenditions('show', ['720p']);
  own.acceptSilence('show');
  own.noteEvent('show', { code: 'capture-lost' } as never);
  await own.stop('show');
  expect(done.map((act) => (act as unknown[])[0])).toEqual([
    'letIn',
    'setRenditions',
    'accept',
    'changed',
    'line',
    'endSession',
    'stopOneClick',
  ]);
});

test('while the store cannot be read, a one-click broadcast that is not on air yet can be stopped', async () => {
  const { own, done } = openUnreadable({ oneClick: 'starting' });
  await own.stop('show');
  expect(done).toEqual([
    ['endSession', 'show', { reason: 'stopped' }],
    ['stopOneClick', 'show'],
  ]);
});

test('a stream that was never live is refused while the store cannot be read', async () => {
  const { own, done, fault } = openUnreadable({});
  await expect(own.stop('show')).rejects.toBe(fault);
  expect(() => own.letIn('show')).toThrow(fault);
  expect(done).toEqual([]);
});
