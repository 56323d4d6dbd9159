import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beatIntervalMs } from '../../shared/heartbeat.ts';
import { type ConnectionCore, createConnectionCore } from './connection.ts';
import { followHeartbeat, type Heartbeat } from './heartbeat.ts';

const startMs = Date.UTC(2030, 0, 1);

/** A service that beats until it hangs, and a page on it whose timers can be held up. */
class Stage {
  isHanging = false;
  /** Messages sent while the page sleeps are not read before the page's timers run. */
  isUnread = false;
  asked = 0;
  silentSince: number | undefined;
  backs = 0;
  /** How long the page's timers did not run. */
  #sleptMs = 0;
  readonly core: ConnectionCore = createConnectionCore({ now: () => Date.now(), onClose: () => {} });
  readonly heartbeat: Heartbeat;

  constructor() {
    this.core.opened({ call: async () => this.#beats() });
    this.heartbeat = followHeartbeat(this.core, {
      onSilent: (sinceMs) => {
        this.silentSince = sinceMs - startMs;
      },
      onBack: () => {
        this.backs += 1;
      },
      monotonicMs: () => Date.now() - startMs + this.#sleptMs,
    });
  }

  async *#beats() {
    this.asked += 1;
    for (let beat = 0; ; beat += 1) {
      if (this.isHanging || (this.isUnread && beat > 0)) await new Promise(() => {});
      yield { now: Date.now() + 7_000 };
      await new Promise((resolve) => setTimeout(resolve, beatIntervalMs));
    }
  }

  /** The page sleeps; its timers run when it wakes. */
  sleep(ms: number): void {
    this.#sleptMs += ms;
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a beating service is never silent, and its clock is known', async () => {
  const stage = new Stage();
  await vi.advanceTimersByTimeAsync(600_000);
  expect([stage.silentSince, stage.asked, stage.core.clock.newestOffsetMs()]).toEqual([undefined, 1, 7_000]);
});

test('a hanging service is reported once, 4.5 s after it was last heard', async () => {
  const stage = new Stage();
  await vi.advanceTimersByTimeAsync(10_000);
  stage.isHanging = true;
  await vi.advanceTimersByTimeAsync(4_400);
  expect(stage.silentSince).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(stage.silentSince).toBe(10_000);
  stage.silentSince = undefined;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stage.silentSince).toBeUndefined();
});

test('a service that is heard again is back, and is watched as before', async () => {
  const stage = new Stage();
  stage.isHanging = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([stage.silentSince, stage.backs]).toEqual([0, 0]);
  stage.heartbeat.heard();
  expect(stage.backs).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([stage.silentSince, stage.backs]).toEqual([10_000, 1]);
});

test('any message counts as a heartbeat', async () => {
  const stage = new Stage();
  stage.isHanging = true;
  for (let second = 0; second < 60; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    stage.heartbeat.heard();
  }
  expect(stage.silentSince).toBeUndefined();
});

test('after sleeping, a page asks first, and a service that answers was never lost', async () => {
  const stage = new Stage();
  await vi.advanceTimersByTimeAsync(1_000);
  stage.isUnread = true;
  stage.sleep(60_000);
  await vi.advanceTimersByTimeAsync(3_500);
  expect([stage.asked, stage.silentSince]).toEqual([2, undefined]);
  stage.isUnread = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stage.silentSince).toBeUndefined();
});

test("a service that doesn't answer after the page slept is lost 2 s later", async () => {
  const stage = new Stage();
  await vi.advanceTimersByTimeAsync(1_000);
  stage.isHanging = true;
  stage.sleep(60_000);
  await vi.advanceTimersByTimeAsync(3_500);
  expect([stage.asked, stage.silentSince]).toEqual([2, undefined]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stage.silentSince).toBe(0);
});

test('a stopped watch reports nothing', async () => {
  const stage = new Stage();
  stage.isHanging = true;
  stage.heartbeat.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stage.silentSince).toBeUndefined();
});
