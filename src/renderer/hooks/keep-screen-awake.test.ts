import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepScreenAwake } from './keep-screen-awake.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

type Lock = EventTarget & { release(): Promise<void> };

/** A page, and a browser that grants or refuses locks on command. */
function setUp(release: () => Promise<void> = async () => {}) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
  const asked: PromiseWithResolvers<Lock>[] = [];
  let released = 0;
  const locks = {
    request() {
      const answer = Promise.withResolvers<Lock>();
      asked.push(answer);
      return answer.promise;
    },
  };
  const createLock = (): Lock =>
    Object.assign(new EventTarget(), {
      release() {
        released += 1;
        return release();
      },
    });
  const lock = createLock();
  const show = (visibilityState: DocumentVisibilityState) => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, locks, lock, createLock, asked, show, released: () => released };
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

test('a lock that the browser refuses or takes away is requested again after a minute', async () => {
  const { page, locks, lock, asked } = setUp();
  const undo = keepScreenAwake(page, locks);
  asked[0]?.reject(new Error('The battery is empty.'));
  await new Promise(setImmediate);
  vi.advanceTimersByTime(59_999);
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(lock);
  await new Promise(setImmediate);
  vi.advanceTimersByTime(600_000);
  expect(asked).toHaveLength(2);
  lock.dispatchEvent(new Event('release'));
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(3);
  asked[2]?.reject(new Error('The battery is empty.'));
  await new Promise(setImmediate);
  undo();
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(3);
});

test('a hidden page requests no lock, and one that is shown again needs no second one', async () => {
  const { page, locks, lock, createLock, asked, show } = setUp();
  keepScreenAwake(page, locks);
  asked[0]?.resolve(lock);
  await new Promise(setImmediate);
  const hide = (released: Lock) => {
    released.dispatchEvent(new Event('release'));
    show('hidden');
  };
  hide(lock);
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(1);
  show('visible');
  const second = createLock();
  asked[1]?.resolve(second);
  await new Promise(setImmediate);
  hide(second);
  vi.advanceTimersByTime(30_000);
  show('visible');
  asked[2]?.resolve(createLock());
  await new Promise(setImmediate);
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(3);
});
