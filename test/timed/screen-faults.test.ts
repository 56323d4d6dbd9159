import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeVerdict, titleOf } from '../../src/shared/words/verdict-words.ts';
import { startFaultStage } from '../support/fault-stage.ts';
import { untilSeen } from '../support/seen-brightness.ts';
import { openXPainter, type XPainter } from '../support/x-painter.ts';
import { startX11Display, type X11Display } from '../support/x11-display.ts';

/** As square as the encoded picture, which it fills. */
const size = { width: 480, height: 480 };
const isBlack = (brightness: number) => brightness < 20;
const isWhite = (brightness: number) => brightness > 200;

describe.skipIf(process.platform !== 'linux')('a screen of this computer', () => {
  let stage: Awaited<ReturnType<typeof startFaultStage>>;
  let display: X11Display;
  beforeAll(async () => {
    stage = await startFaultStage();
    display = await startX11Display(`${size.width}x${size.height}`, { restarts: true });
    vi.stubEnv('DISPLAY', display.name);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
  });
  afterAll(async () => {
    await display[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    // No process, socket or timer outlives its broadcast.
    expect(await stage.close()).toEqual([]);
  });

  async function paintWhite(): Promise<XPainter> {
    const painter = await openXPainter(display.name);
    painter.fill(0xffffff, [{ x: 0, y: 0, ...size }]);
    return painter;
  }

  test('vanishes: named, black meanwhile, and back by itself; Stop works while it is gone', async () => {
    const source: Source = {
      picture: { main: { kind: 'screen', device: { id: display.name, name: 'Screen' } } },
      sound: { inputs: [], limits: false },
    };
    const titles: string[] = [];
    const isAway = ({ verdict }: StreamLive) => {
      if (verdict?.code === 'source-away') titles.push(titleOf(verdict));
      return verdict?.code === 'source-away';
    };
    let painter = await paintWhite();
    await using broadcast = await stage.goOnAir({ name: 'Screen', source });
    await untilSeen(broadcast.mediaUrl, isWhite);
    const { session } = await broadcast.until(() => true);

    painter[Symbol.dispose]();
    await display.end();
    const { verdict } = await broadcast.until(isAway);
    expect(verdict && describeVerdict(verdict, 0)).toEqual({
      title: "“Screen” isn't connected",
      sentence: 'Viewers see black. Reconnect it, and Tallylight picks it up automatically.',
    });
    await untilSeen(broadcast.mediaUrl, isBlack);

    await display.restart();
    painter = await paintWhite();
    const since = performance.now();
    const seconds = ((await untilSeen(broadcast.mediaUrl, isWhite)) - since) / 1000;
    stage.record('screen gone, as viewers see it', seconds);
    // A retry each second, and the rest is for a busy computer.
    expect(seconds).toBeLessThan(10);
    const after = await broadcast.until(({ oneClick }) => oneClick.kind === 'running' && oneClick.away.length === 0);
    expect(after.session?.id).toBe(session?.id);

    painter[Symbol.dispose]();
    await display.end();
    await broadcast.until(isAway);
    expect(await broadcast.stop()).toEqual({
      log: ['On air after n s.', 'You stopped the broadcast in Tallylight.'],
      failures: [],
      playlist: { broken: [], isContinued: expect.any(Boolean), early: 0 },
    });
    expect(broadcast.proxy.connectionCount).toBe(1);
    expect(new Set(titles)).toEqual(new Set(["“Screen” isn't connected"]));
  });
});
