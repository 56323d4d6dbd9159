import { expect, test } from 'vitest';
import {
  initialRecovery,
  isNews,
  type RecoveryCommand,
  type RecoveryEvent,
  type RecoveryState,
  recover,
  reopenDelayMs,
} from './recovery.ts';

/** Runs events through the recovery; returns the last state and all commands in order. */
function run(events: readonly RecoveryEvent[], from: RecoveryState = initialRecovery) {
  const commands: RecoveryCommand[] = [];
  let state = from;
  for (const event of events) {
    const step = recover(state, event);
    state = step.state;
    commands.push(...step.commands);
  }
  return { state, commands };
}

const tick = (atMs: number, { isRewound = false, aheadSeconds = 0, hasLighter = false } = {}): RecoveryEvent => ({
  kind: 'tick',
  isRewound,
  aheadSeconds,
  hasLighter,
  atMs,
});
const ticks = (fromMs: number, toMs: number, seen?: Parameters<typeof tick>[1]): RecoveryEvent[] =>
  Array.from({ length: (toMs - fromMs) / 500 + 1 }, (_, index) => tick(fromMs + index * 500, seen));
/** The same with a segment at each tick. */
const fedTicks = (fromMs: number, toMs: number, seen?: Parameters<typeof tick>[1]): RecoveryEvent[] =>
  ticks(fromMs, toMs, seen).flatMap((event) => [{ kind: 'segment', atMs: event.atMs }, event]);

const live: RecoveryEvent[] = [
  { kind: 'air', arrives: true, sessionId: 'a', atMs: 0 },
  { kind: 'segment', atMs: 100 },
  { kind: 'advanced', atMs: 200 },
];

test('going on air opens a player, and a moving playhead means playing', () => {
  expect(run(live).commands).toEqual(['open']);
  expect(run(live.slice(0, 1)).state.phase).toEqual({ kind: 'opening' });
  expect(run(live).state.phase).toEqual({ kind: 'playing' });
});

test('going off air closes the player, and nothing more is tried, whatever that player still reports', () => {
  const off: RecoveryEvent = { kind: 'air', arrives: true, sessionId: undefined, atMs: 300 };
  for (const each of [...late, { kind: 'paused', atMs: 60_000 } as const]) {
    const { state, commands } = run([...live, off, ...ticks(500, 60_000), each, ...ticks(60_500, 120_000)]);
    expect([state.phase, commands]).toEqual([{ kind: 'idle' }, ['open', 'close']]);
  }
});

test('a new broadcast opens a new player, even if the end of the last went unnoticed', () => {
  expect(run([...live, { kind: 'air', arrives: true, sessionId: 'b', atMs: 300 }]).commands).toEqual(['open', 'open']);
  expect(run([...live, { kind: 'air', arrives: true, sessionId: 'a', atMs: 300 }]).commands).toEqual(['open']);
});

test('network errors open new players with growing pauses for as long as the stream is on air', () => {
  let { state } = run(live);
  const pauses: number[] = [];
  let atMs = 1_000;
  for (let attempt = 0; attempt < 8; attempt += 1) {
    state = recover(state, { kind: 'fatal', cause: 'network', atMs }).state;
    expect(state.phase).toMatchObject({ kind: 'held', reason: 'unreachable', sinceMs: 200 });
    const failedAtMs = atMs;
    let commands: readonly RecoveryCommand[] = [];
    while (commands.length === 0) {
      atMs += 500;
      ({ state, commands } = recover(state, tick(atMs)));
    }
    expect(commands).toEqual(['open']);
    pauses.push(atMs - failedAtMs);
  }
  expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000, 5000]);
});

test('a moving picture resets the pauses', () => {
  const failed = run([
    ...live,
    { kind: 'fatal', cause: 'network', atMs: 1_000 },
    { kind: 'fatal', cause: 'network', atMs: 2_000 },
  ]);
  expect(failed.state.failures).toBe(2);
  expect(run([{ kind: 'advanced', atMs: 3_000 }], failed.state).state).toMatchObject({
    failures: 0,
    phase: { kind: 'playing' },
  });
});

test('repeated media errors escalate: recover, swap the audio codec, replace the player', () => {
  const errors = [1_000, 2_000, 3_000].map((atMs): RecoveryEvent => ({ kind: 'fatal', cause: 'media', atMs }));
  const { state, commands } = run([...live, ...errors, ...ticks(3_500, 4_000)]);
  expect(commands).toEqual(['open', 'recover-media', 'swap-audio-and-recover', 'open']);
  expect(state.phase).toMatchObject({ kind: 'held', reason: 'undecodable' });
});

test('a stream in codecs that the player lacks is undecodable at once, and stays so while new players try', () => {
  const opened = live.slice(0, 1);
  const failure = (atMs: number): RecoveryEvent => ({ kind: 'fatal', cause: 'codecs', atMs });
  const { state, commands } = run([...opened, failure(100), ...ticks(500, 1_000), failure(1_100), ...ticks(1_500, 2_000)]);
  expect(state.phase).toMatchObject({ kind: 'held', reason: 'undecodable' });
  expect(commands).toEqual(['open', 'open']);
});

test('media errors far apart do not add up', () => {
  const errors = [1_000, 20_000, 40_000].map((atMs): RecoveryEvent => ({ kind: 'fatal', cause: 'media', atMs }));
  expect(run([...live, ...errors]).commands).toEqual(['open', 'recover-media', 'recover-media', 'recover-media']);
});

test('without segments the last picture is held from when it stopped, and the player is left alone at first', () => {
  const { state, commands } = run([...live, ...ticks(500, 5_000)]);
  expect(state.phase).toEqual({ kind: 'held', reason: 'no-segment', sinceMs: 200 });
  expect(commands).toEqual(['open']);
});

test('returning segments bring the picture back without a new player', () => {
  const { state, commands } = run([
    ...live,
    ...ticks(500, 8_000),
    { kind: 'segment', atMs: 8_100 },
    { kind: 'advanced', atMs: 8_200 },
  ]);
  expect([state.phase, commands]).toEqual([{ kind: 'playing' }, ['open']]);
});

test('a player without segments for too long is replaced', () => {
  expect(run([...live, ...ticks(500, 20_500)]).commands).toEqual(['open', 'open']);
  const minute = fedTicks(500, 60_000).flatMap((event): RecoveryEvent[] => [event, { kind: 'advanced', atMs: event.atMs }]);
  expect(run([...live, ...minute, ...ticks(60_500, 79_500)]).commands).toEqual(['open']);
  expect(run([...live, ...minute, ...ticks(60_500, 80_000)]).commands).toEqual(['open', 'open']);
});

test('while no media arrives at the service the player stays, and has its time again once it does', () => {
  const air = (arrives: boolean, atMs: number): RecoveryEvent => ({ kind: 'air', arrives, sessionId: 'a', atMs });
  const away = run([...live, air(false, 3_000), ...ticks(3_500, 60_000)]);
  expect([away.commands, away.state.phase]).toEqual([['open'], { kind: 'held', reason: 'no-segment', sinceMs: 200 }]);
  const back = [air(true, 60_100), ...ticks(60_500, 79_500)];
  expect(run(back, away.state).commands).toEqual([]);
  expect(run([...back, ...ticks(80_000, 81_000)], away.state).commands).toEqual(['open']);
});

test('a playhead stuck before media jumps to the live edge, and four seconds later the player is replaced', () => {
  const { state, commands } = run([...live, ...fedTicks(500, 8_500, { aheadSeconds: 1 })]);
  expect(commands).toEqual(['open', 'jump-to-live', 'open']);
  expect(state).toMatchObject({ phase: { kind: 'held', reason: 'stuck' }, failures: 1 });
  expect(run([...live, ...fedTicks(500, 8_000, { aheadSeconds: 1 })]).commands).toEqual(['open', 'jump-to-live']);
});

test('news of the same broadcast gives a player without media, or with media that it never plays, no more time', () => {
  const withNews = (events: RecoveryEvent[]) =>
    events.flatMap((event): RecoveryEvent[] => [{ kind: 'air', arrives: true, sessionId: 'a', atMs: event.atMs }, event]);
  for (const events of [ticks(500, 60_000), fedTicks(500, 60_000)]) {
    const { commands } = run([...live, ...events]);
    expect(commands.length).toBeGreaterThan(2);
    expect(run([...live, ...withNews(events)]).commands).toEqual(commands);
  }
});

test('a page that stays hidden closes its player five seconds after it was hidden, however often that is noticed', () => {
  expect(run([...live, watched(false, 1_000), watched(false, 4_000), tick(5_500)]).commands).toEqual(['open']);
  expect(run([...live, watched(false, 1_000), watched(false, 4_000), tick(6_000)]).commands).toEqual(['open', 'close-for-now']);
});

test('a burst that has been played leads to silence, not to a jump', () => {
  const burst = Array.from({ length: 30 }, (_, index): RecoveryEvent => ({ kind: 'segment', atMs: 1_900 + index * 30 }));
  const played = run([...live, ...burst, ...ticks(3_000, 6_500, { aheadSeconds: 0.1 })]);
  expect([played.state.phase.kind, played.commands]).toEqual(['playing', ['open']]);
  const silent = run(ticks(7_000, 9_000, { aheadSeconds: 0.1 }), played.state);
  expect([silent.state.phase, silent.commands]).toEqual([{ kind: 'held', reason: 'no-segment', sinceMs: 200 }, []]);
});

test('the last media of a lost encoder, which comes late, is played and not called stuck', () => {
  const away: RecoveryEvent = { kind: 'air', arrives: false, sessionId: 'a', atMs: 3_000 };
  const silent = run([...live, away, ...ticks(3_500, 10_000)]);
  const last: RecoveryEvent = { kind: 'segment', atMs: 10_100 };
  const { state, commands } = run([last, ...ticks(10_500, 60_000, { aheadSeconds: 0.1 })], silent.state);
  expect([state.phase, commands]).toEqual([{ kind: 'held', reason: 'no-segment', sinceMs: 200 }, []]);
});

test('the first media of an encoder that is back gets its time to play', () => {
  const air = (arrives: boolean, atMs: number): RecoveryEvent => ({ kind: 'air', arrives, sessionId: 'a', atMs });
  const { commands } = run([
    ...[...live, air(false, 3_000), ...ticks(3_500, 20_000), air(true, 20_100)],
    ...fedTicks(20_200, 21_200, { aheadSeconds: 0.2 }),
  ]);
  expect(commands).toEqual(['open']);
});

test('playback cut off after a burst is never called stuck', () => {
  const burst = Array.from({ length: 30 }, (_, index): RecoveryEvent => ({ kind: 'segment', atMs: 1_900 + index * 30 }));
  const reasons = new Set<string>();
  let { state } = run(live);
  const failure: RecoveryEvent = { kind: 'fatal', cause: 'network', atMs: 8_100 };
  for (const event of [...burst, ...ticks(3_000, 8_000), failure, ...ticks(8_500, 9_000)]) {
    ({ state } = recover(state, event));
    if (state.phase.kind === 'held') reasons.add(state.phase.reason);
  }
  expect([...reasons]).toEqual(['no-segment', 'unreachable']);
});

test('segments that never land ahead of the playhead are handled after twice the time', () => {
  expect(run([...live, ...fedTicks(500, 8_000)]).commands).toEqual(['open']);
  expect(run([...live, ...fedTicks(500, 12_500)]).commands).toEqual(['open', 'jump-to-live', 'open']);
});

test('a picture waiting for media reopens once if a lighter rendition may deliver it', () => {
  expect(run([...live, ...ticks(500, 1_000, { hasLighter: true })]).commands).toEqual(['open']);
  for (const untilMs of [1_500, 4_500]) {
    const { state, commands } = run([...live, ...ticks(500, untilMs, { hasLighter: true })]);
    expect([state.phase, commands]).toEqual([{ kind: 'opening' }, ['open', 'open']]);
  }
});

test('a picture stuck before media is not taken for a slow connection', () => {
  expect(run([...live, ...fedTicks(500, 4_000, { hasLighter: true, aheadSeconds: 1 })]).commands).toEqual(['open']);
});

test('a paused picture is not stuck, and resuming restarts the check', () => {
  const paused = run([...live, { kind: 'paused', atMs: 300 }, ...ticks(500, 60_000)]);
  expect([paused.state.phase.kind, paused.commands]).toEqual(['paused', ['open']]);
  const resumed = run([{ kind: 'resumed', atMs: 60_100 }, tick(60_500)], paused.state);
  expect([resumed.state.phase.kind, resumed.commands]).toEqual(['playing', []]);
});

test('a picture that the browser refuses to start is paused, whatever the player seeks, and plays when it is let', () => {
  const refused: RecoveryEvent = { kind: 'refused', atMs: 300 };
  const seeks = ticks(500, 60_000).flatMap((event): RecoveryEvent[] => [{ kind: 'advanced', atMs: event.atMs }, event]);
  const opening = run([...live.slice(0, 2), refused, ...seeks]);
  expect([opening.state.phase, opening.commands]).toEqual([{ kind: 'paused', isRefused: true }, ['open']]);
  const resumed = run([{ kind: 'resumed', atMs: 60_100 }, tick(60_500)], opening.state);
  expect([resumed.state.phase, resumed.commands]).toEqual([{ kind: 'playing' }, []]);
});

test('a refusal also ends what plays or is held, but no pause, and nothing off air', () => {
  const refused: RecoveryEvent = { kind: 'refused', atMs: 60_100 };
  const phaseAfter = (events: readonly RecoveryEvent[]) => run([...events, refused]).state.phase;
  expect(phaseAfter(live)).toEqual({ kind: 'paused', isRefused: true });
  expect(phaseAfter([...live, ...ticks(500, 60_000)])).toEqual({ kind: 'paused', isRefused: true });
  expect(phaseAfter([...live, { kind: 'paused', atMs: 300 }])).toEqual({ kind: 'paused' });
  expect(phaseAfter([])).toEqual({ kind: 'idle' });
});

test('a viewer who rewound is not pulled to live: unplayable media is skipped, then the player is replaced', () => {
  const events = fedTicks(500, 8_500, { isRewound: true, aheadSeconds: 5 });
  expect(run([...live, ...events]).commands).toEqual(['open', 'skip-ahead', 'open']);
});

test('a player that breaks while paused stays paused, and a new one opens on resume', () => {
  const broken = run([
    ...live,
    { kind: 'paused', atMs: 300 },
    { kind: 'fatal', cause: 'network', atMs: 1_000 },
    { kind: 'fatal', cause: 'media', atMs: 1_100 },
    ...ticks(1_500, 60_000),
  ]);
  expect([broken.state.phase, broken.commands]).toEqual([{ kind: 'paused' }, ['open']]);
  const resumed = run([{ kind: 'resumed', atMs: 60_100 }], broken.state);
  expect([resumed.state.phase, resumed.commands]).toEqual([{ kind: 'opening' }, ['open']]);
});

test('an outdated player is replaced at once, and off air there is none', () => {
  const { state, commands } = run([...live, { kind: 'outdated', atMs: 300 }]);
  expect([state.phase, commands]).toEqual([{ kind: 'opening' }, ['open', 'open']]);
  expect(run([{ kind: 'outdated', atMs: 300 }]).commands).toEqual([]);
});

test('a playlist that ends while on air is reopened', () => {
  const { state, commands } = run([...live, { kind: 'ended', atMs: 1_000 }, ...ticks(1_000, 1_500)]);
  expect([state.phase.kind, commands]).toEqual(['held', ['open', 'open']]);
});

test('pauses never exceed five seconds', () => {
  expect([0, 3, 4, 1_000_000].map(reopenDelayMs)).toEqual([500, 4000, 5000, 5000]);
});

test('a playing picture is shown twice a second, and every change of phase at once', () => {
  const listNews = (events: readonly RecoveryEvent[]) => {
    let state = initialRecovery;
    return events.filter((event) => {
      const before = state.phase;
      ({ state } = recover(state, event));
      return isNews(event.kind, before, state.phase);
    });
  };
  const [onAir, first, shown] = live as [RecoveryEvent, RecoveryEvent, RecoveryEvent];
  // A part every 200 ms, and a `timeupdate` every 250 ms.
  const playing = [
    ...[400, 600, 800, 1_000, 1_200].map((atMs): RecoveryEvent => ({ kind: 'segment', atMs })),
    ...[450, 700, 950, 1_200].map((atMs): RecoveryEvent => ({ kind: 'advanced', atMs })),
    ...ticks(500, 1_000),
  ].toSorted((one, other) => one.atMs - other.atMs);
  expect(listNews([onAir, first, shown, ...playing])).toEqual([onAir, shown, ...ticks(500, 1_000)]);
  const silent = ticks(1_500, 6_000);
  const returned: RecoveryEvent = { kind: 'advanced', atMs: 6_100 };
  expect(listNews([onAir, shown, ...silent, returned])).toEqual([onAir, shown, ...silent, returned]);
});

const watched = (isWatched: boolean, atMs: number): RecoveryEvent => ({ kind: 'watched', isWatched, atMs });
const onAir = (sessionId: string | undefined, atMs: number): RecoveryEvent => ({ kind: 'air', arrives: true, sessionId, atMs });
/** What may still happen, and no longer matters once there is no player. */
const late: RecoveryEvent[] = [
  { kind: 'fatal', cause: 'network', atMs: 60_000 },
  { kind: 'ended', atMs: 60_000 },
  { kind: 'refused', atMs: 60_000 },
  { kind: 'resumed', atMs: 60_000 },
  { kind: 'outdated', atMs: 60_000 },
  { kind: 'advanced', atMs: 60_000 },
  ...ticks(60_000, 120_000),
];

test('a monitor that nobody sees or hears closes its player after five seconds, loads nothing meanwhile, and is live again once it is watched', () => {
  const playing = run([...live, watched(false, 1_000), ...fedTicks(1_500, 5_500)]);
  expect(playing.commands).toEqual(['open']);
  const closed = run([tick(6_000), ...late], playing.state);
  expect([closed.state.phase, closed.commands]).toEqual([{ kind: 'unwatched', next: { kind: 'opening' } }, ['close-for-now']]);
  const seen = run([watched(true, 130_000), tick(130_500)], closed.state);
  expect([seen.state.phase, seen.commands]).toEqual([{ kind: 'opening' }, ['open']]);
});

test('a page that is hidden for less than five seconds keeps its player, also where the browser pauses it', () => {
  const glance = run([
    ...live,
    watched(false, 1_000),
    ...fedTicks(1_500, 5_500),
    watched(true, 5_600),
    ...fedTicks(6_000, 7_500),
  ]);
  expect([glance.state.phase, glance.commands]).toEqual([{ kind: 'playing' }, ['open']]);
  const paused = run([...live, watched(false, 1_000), { kind: 'paused', atMs: 1_100 }, watched(true, 4_000)]);
  const resumed = run([{ kind: 'resumed', atMs: 4_100 }, ...fedTicks(4_500, 8_000)], paused.state);
  expect([paused.state.phase.kind, resumed.state.phase, resumed.commands]).toEqual(['paused', { kind: 'playing' }, []]);
});

test("closing the player for now ends the browser's pause, but not the viewer's", () => {
  const browsers = run([...live, watched(false, 1_000), { kind: 'paused', atMs: 1_100 }, ...ticks(1_500, 60_000)]);
  expect(browsers.commands).toEqual(['open', 'close-for-now']);
  const isBack = watched(true, 60_100);
  expect(run([isBack], browsers.state)).toMatchObject({ state: { phase: { kind: 'opening' } }, commands: ['open'] });

  for (const pause of [{ kind: 'paused' }, { kind: 'refused' }] as const) {
    const before = run([...live, { ...pause, atMs: 300 }]).state.phase;
    const viewers = run([...live, { ...pause, atMs: 300 }, watched(false, 1_000), ...ticks(1_500, 60_000), ...late]);
    expect(viewers.commands).toEqual(['open', 'close-for-now']);
    const back = run([isBack, ...ticks(60_500, 90_000)], viewers.state);
    expect([back.state.phase, back.commands]).toEqual([before, ['open']]);
  }
});

test('closing the player for now ends a hold, and what failed before it', () => {
  const held = run([...live, watched(false, 1_000), { kind: 'fatal', cause: 'network', atMs: 5_900 }, ...ticks(6_000, 60_000)]);
  expect([held.state.phase.kind, held.commands]).toEqual(['unwatched', ['open', 'close-for-now']]);
  const back = run([watched(true, 60_100)], held.state);
  expect([back.state.phase, back.commands]).toEqual([{ kind: 'opening' }, ['open']]);
});

test('a page that opens hidden loads nothing before it is watched', () => {
  const hidden = run([watched(false, 0), onAir('a', 1), ...ticks(500, 60_000)]);
  expect([hidden.state.phase.kind, hidden.commands]).toEqual(['unwatched', []]);
  const seen = run([watched(true, 60_100), ...fedTicks(60_500, 63_000)], hidden.state);
  expect([seen.state.phase, seen.commands]).toEqual([{ kind: 'opening' }, ['open']]);
});

test('a broadcast that begins or is replaced while nobody watches opens no player, and its end leaves nothing to open', () => {
  const closed = run([...live, watched(false, 1_000), ...ticks(1_500, 6_000)]);
  const next = run([onAir('b', 7_000), onAir(undefined, 8_000), onAir('c', 9_000), ...ticks(9_500, 60_000)], closed.state);
  expect([next.state.phase.kind, next.commands]).toEqual(['unwatched', ['close']]);
  expect(run([watched(true, 60_100)], next.state)).toMatchObject({ state: { sessionId: 'c' }, commands: ['open'] });
  const over = run([onAir(undefined, 60_200), watched(true, 60_300)], next.state);
  expect([over.state, over.commands]).toEqual([initialRecovery, ['close']]);
  expect(run([onAir('d', 60_400)], over.state).commands).toEqual(['open']);
});

test('a broadcast that ends shortly after the page was hidden is not followed by a player for the next one', () => {
  const { commands } = run([
    ...live,
    watched(false, 1_000),
    onAir(undefined, 2_000),
    onAir('b', 3_000),
    ...ticks(3_500, 60_000),
  ]);
  expect(commands).toEqual(['open', 'close']);
});

test('a broadcast that replaces another once nobody watches closes the player of that one', () => {
  const { state, commands } = run([
    ...live,
    watched(false, 1_000),
    ...fedTicks(1_500, 5_500),
    onAir('b', 6_001),
    ...ticks(6_200, 60_000),
  ]);
  expect([state.phase.kind, commands]).toEqual(['unwatched', ['open', 'close']]);
});
