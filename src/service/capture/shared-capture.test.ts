import { expect, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { SharedCapture } from './shared-capture.ts';

interface Listener {
  heard: string[];
  onLost(fault: CaptureFault): void;
}

function makeListener(): Listener {
  const heard: string[] = [];
  return { heard, onLost: ({ code }) => heard.push(code) };
}

/** A device that fails the test if it is opened twice at a time; closing it takes a turn of the event loop. */
function startShared() {
  const story: string[] = [];
  let isOpen = false;
  const shared = new SharedCapture<Listener, number>({
    open: (format) => {
      expect(isOpen).toBe(false);
      isOpen = true;
      story.push(`open ${format}`);
      return async () => {
        await new Promise((resolve) => setImmediate(resolve));
        isOpen = false;
        story.push('close');
      };
    },
    onEmpty: () => story.push('empty'),
  });
  return { shared, story, settle: () => new Promise((resolve) => setTimeout(resolve, 5)) };
}

const larger = (format: number) => (present: number | undefined) => Math.max(present ?? 0, format);

test('a device is opened once for all, and closed with the last', async () => {
  const { shared, story, settle } = startShared();
  const [first, second] = [makeListener(), makeListener()];
  const leaveFirst = shared.join(first, larger(2));
  const leaveSecond = shared.join(second, larger(1));
  await leaveFirst();
  await settle();
  shared.tell(({ heard }) => heard.push('picture'));
  expect([first.heard, second.heard]).toEqual([[], ['picture']]);
  expect(story).toEqual(['open 2']);
  await leaveSecond();
  expect(story).toEqual(['open 2', 'close', 'empty']);
});

test('one who wants more gets it from a second opening, after the first is closed', async () => {
  const { shared, story, settle } = startShared();
  const leave = shared.join(makeListener(), larger(1));
  await settle();
  const leaveSecond = shared.join(makeListener(), larger(3));
  await soon(() => expect(story).toEqual(['open 1', 'close', 'open 3']));
  await Promise.all([leave(), leaveSecond()]);
  expect(story.slice(3)).toEqual(['close', 'empty']);
});

test('a listener that joins while the device closes gets it again, and one that leaves before it opens opens nothing', async () => {
  const { shared, story, settle } = startShared();
  const leave = shared.join(makeListener(), larger(1));
  await settle();
  const left = leave();
  await Promise.resolve();
  const leaveSecond = shared.join(makeListener(), larger(1));
  await left;
  await settle();
  expect(story).toEqual(['open 1', 'close', 'open 1']);
  await leaveSecond();
  const other = startShared();
  await other.shared.join(makeListener(), larger(1))();
  expect(other.story).toEqual(['empty']);
});

test('a listener that joins while the device is away hears so', () => {
  const { shared } = startShared();
  shared.join(makeListener(), larger(1));
  shared.lose({ code: 'gone' });
  const late = makeListener();
  shared.join(late, larger(1));
  shared.tell(({ heard }) => heard.push('picture'));
  const later = makeListener();
  shared.join(later, larger(1));
  expect([late.heard, later.heard]).toEqual([['gone', 'picture'], []]);
});
