import { expect, test } from 'vitest';
import { keepScreenAwake } from './keep-screen-awake.ts';

/** A page, and a browser that grants or refuses locks on command. */
function setUp(release: () => Promise<void> = async () => {}) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
  const asked: PromiseWithResolvers<{ release(): Promise<void> }>[] = [];
  let released = 0;
  const locks = {
    request() {
      const answer = Promise.withResolvers<{ release(): Promise<void> }>();
      asked.push(answer);
      return answer.promise;
    },
  };
  const lock = {
    release() {
      released += 1;
      return release();
    },
  };
  const show = (visibilityState: DocumentVisibilityState) => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, locks, lock, asked, show, released: () => released };
}

test('a lock is requested whenever the page is shown, and released at the end', async () => {
  const { page, locks, lock, asked, show, released } = setUp();
  const undo = keepScreenAwake(page, locks);
  asked[0]?.resolve(lock);
  show('hidden');
  show('visible');
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(lock);
  await new Promise(setImmediate);
  undo();
  show('visible');
  expect([asked.length, released()]).toEqual([2, 1]);
});

test('a lock granted too late is released at once', async () => {
  const { page, locks, lock, asked, released } = setUp();
  keepScreenAwake(page, locks)();
  asked[0]?.resolve(lock);
  await new Promise(setImmediate);
  expect(released()).toBe(1);
});

test('missing, refused and unreleasable locks are not errors', async () => {
  keepScreenAwake(setUp().page, undefined)();
  const { page, locks, lock, asked, released } = setUp(() => Promise.reject(new Error('It is gone.')));
  const undo = keepScreenAwake(page, locks);
  asked[0]?.reject(new Error('The battery is empty.'));
  keepScreenAwake(page, locks)();
  asked[1]?.resolve(lock);
  await new Promise(setImmediate);
  undo();
  expect(released()).toBe(1);
});
