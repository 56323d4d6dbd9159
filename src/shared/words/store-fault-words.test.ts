import { expect, test } from 'vitest';
import type { StoreFault } from '../model/store-fault.ts';
import { describeStoreProblem, describeUnopenedStore } from './store-fault-words.ts';

/** Every fault, with its sentence. */
const words: { [Code in StoreFault['code']]: [Extract<StoreFault, { code: Code }>, string] } = {
  locked: [{ code: 'locked' }, 'The store is locked by another program. Close it, or wait until it is done.'],
  'read-only': [{ code: 'read-only' }, 'The store is read-only. Give Tallylight write permission for its data folder.'],
  'disk-failed': [{ code: 'disk-failed' }, 'The store cannot be used: its disk failed to read or write.'],
  'cannot-open': [{ code: 'cannot-open' }, 'The store cannot be used: its file cannot be opened.'],
  damaged: [{ code: 'damaged' }, 'The store is damaged. Restart Tallylight to repair it.'],
  'no-memory': [{ code: 'no-memory' }, 'The store cannot be used: this computer is out of memory.'],
  'disk-full': [{ code: 'disk-full' }, 'The store cannot be written: the disk is full.'],
  'disk-slow': [{ code: 'disk-slow' }, 'The store cannot be written: its disk is slow.'],
  'disk-silent': [{ code: 'disk-silent' }, 'The store cannot be written: its disk has not answered for over a second.'],
  unconfirmed: [
    { code: 'unconfirmed' },
    'This was done, but the disk has not confirmed it. It would be lost in a power failure.',
  ],
  missing: [{ code: 'missing' }, 'The store is missing. Put it back, or restart Tallylight.'],
  'out-of-reach': [
    { code: 'out-of-reach', reason: 'EACCES' },
    'The store cannot be reached (EACCES). Check its disk and the permissions of its folder.',
  ],
  closing: [{ code: 'closing' }, 'Tallylight is closing.'],
};

test.each(Object.values(words))('the words of %j', (fault, sentence) => {
  expect(describeStoreProblem({ fault })).toBe(sentence);
});

const path = '/home/jane/tallylight.db';

test('a store that is not where it was is named to those who may know its path', () => {
  expect(describeStoreProblem({ fault: { code: 'missing' }, path })).toBe(
    'The store /home/jane/tallylight.db is missing. Put it back, or restart Tallylight.',
  );
  expect(describeStoreProblem({ fault: { code: 'out-of-reach' }, path })).toBe(
    'The store /home/jane/tallylight.db cannot be reached. Check its disk and the permissions of its folder.',
  );
});

test('the changes that wait are counted', () => {
  expect([1, 2].map((waiting) => describeStoreProblem({ fault: { code: 'disk-full' }, waiting }))).toEqual([
    'The store cannot be written: the disk is full. 1 change waits in memory.',
    'The store cannot be written: the disk is full. 2 changes wait in memory.',
  ]);
});

test('a store that cannot be opened is named', () => {
  expect(describeUnopenedStore({ path, fault: { code: 'newer', version: 99, known: 12 } })).toBe(
    'The store /home/jane/tallylight.db was written by a newer Tallylight (schema 99; this version supports 12). Install the newer version, or choose another data folder.',
  );
  expect(describeUnopenedStore({ path, fault: { code: 'older', version: 11, needed: 12 } })).toBe(
    'The store /home/jane/tallylight.db is in use by an older Tallylight (schema 11; this version needs 12). Close that one, and start this version first.',
  );
  expect(describeUnopenedStore({ path, fault: { code: 'damaged' } })).toBe(
    'The store /home/jane/tallylight.db is damaged. Start Tallylight to repair it.',
  );
  expect(describeUnopenedStore({ path, fault: { code: 'disk-full' } })).toBe(
    'The store /home/jane/tallylight.db cannot be opened: its disk is full. Free some space there, then start Tallylight again.',
  );
  expect(describeUnopenedStore({ path, fault: { code: 'system', text: 'EACCES: permission denied, open' } })).toBe(
    'The store /home/jane/tallylight.db cannot be opened. EACCES: permission denied, open.',
  );
  expect(describeUnopenedStore({ path, fault: { code: 'out-of-reach', reason: 'ELOOP' } })).toBe(
    'The store /home/jane/tallylight.db cannot be opened. The store /home/jane/tallylight.db cannot be reached (ELOOP). Check its disk and the permissions of its folder.',
  );
});
