import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { readHoldings, settleHoldings } from '../support/accounting.ts';
import { type StreamSetOptions, startBystander, startStreamSet } from '../support/chaos/guarded-streams.ts';
import { startLagMeter } from '../support/chaos/lag-meter.ts';
import { findOpenRows } from '../support/chaos/open-sessions.ts';
import { operations, ownHands, recover, sharedHands } from '../support/chaos/operations.ts';
import { chooseBySeed, type SeededChoice } from '../support/chaos/seeded-choice.ts';
import { loopedFile } from '../support/looped-file.ts';
import { startTestService } from '../support/test-service.ts';

const seconds = Number(process.env.TALLYLIGHT_CHAOS_SECONDS ?? 30);
const seed = Number(process.env.TALLYLIGHT_CHAOS_SEED ?? randomInt(2 ** 32));
/** Resources released with a delay, such as kept-alive connections, are gone by then. */
const leftoverPatienceMs = 20_000;
/** For everything to go on air on a busy computer, at the beginning and at the end. */
const onAirPatienceMs = 60_000;
/** The sets of streams that are operated on, at the same time. Their ffmpegs differ, so that each can be found. */
const sets: readonly StreamSetOptions[] = [
  {
    source: testSource,
    videoBitrateBps: 1_000_000,
    profiles: [
      { name: '144p', bitrate: 200_000, fps: 0, width: 256, height: 144 },
      { name: '128p', bitrate: 100_000, fps: 0, width: 228, height: 128 },
    ],
  },
  {
    videoBitrateBps: 1_100_000,
    source: loopedFile(fileURLToPath(new URL('../fixtures/media/eight-seconds.flv', import.meta.url))),
    profiles: [
      { name: '136p', bitrate: 200_000, fps: 0, width: 240, height: 136 },
      { name: '130p', bitrate: 100_000, fps: 0, width: 232, height: 130 },
    ],
  },
];

test(
  `${seconds} s of random operations harm no other stream, show no wrong state and leave nothing behind (seed ${seed})`,
  async () => {
    console.log(`TALLYLIGHT_CHAOS_SEED=${seed} TALLYLIGHT_CHAOS_SECONDS=${seconds}`);
    const dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-chaos-'));
    onTestFinished(() => rm(dataFolder, { recursive: true }));
    const done: string[] = [];
    const faults: string[] = [];
    const before = await readHoldings();
    // Whatever fails, no later test of this process runs beside these encoders.
    await using started = new AsyncDisposableStack();
    const lag = started.use(startLagMeter());
    // The broadcasts of one click are still running: closing ends them.
    const service = started.use(await startTestService({ dataFolder }));
    const bystander = started.use(await startBystander(service, lag));
    const startSet = async (set: StreamSetOptions, index: number) =>
      started.use(await startStreamSet(service, String(index + 1), set, lag));
    const own = await Promise.all(sets.map(startSet));
    const streams = [bystander, ...own];
    const guards = streams.flatMap((stream) => stream.guards);
    const listOffAir = () => guards.flatMap(({ harm }) => (harm.isSettled ? [] : [harm.name]));
    await expect.poll(listOffAir, { timeout: onAirPatienceMs }).toEqual([]);

    const beganAt = performance.now();
    const operate = async (
      names: readonly string[],
      { targets, guards: touchable }: (typeof own)[number],
      choice: SeededChoice,
      label: string,
    ) => {
      while (performance.now() - beganAt < seconds * 1_000) {
        const name = choice.pick(names);
        const what = `${((performance.now() - beganAt) / 1_000).toFixed(1)} s ${name}${label}`;
        done.push(what);
        const operation = operations[name];
        let run = async () => void (await operation?.run({ ...targets, choice }));
        for (const guard of guards) {
          const inner = run;
          const isOwn = touchable.includes(guard) && operation?.touches.some((touched) => touched === guard.touched) === true;
          run = () => guard.harm.during(what, isOwn, inner);
        }
        await run().catch((error: unknown) => faults.push(`${what}: ${error}`));
        await sleep(choice.integer(0, 2_000));
      }
    };
    const hands = [
      ...own.flatMap((set, index) => ownHands.map((names) => ({ names, set, label: ` ${index + 1}` }))),
      ...sharedHands.map((names, index) => ({ names, set: own[index % own.length] as (typeof own)[number], label: '' })),
    ];
    await Promise.all(hands.map(({ names, set, label }, index) => operate(names, set, chooseBySeed(seed + index), label)));

    // After all these operations, every stream can still go on air.
    let recoverAll = async () =>
      void (await Promise.all(own.map(({ targets }) => recover({ ...targets, choice: chooseBySeed(seed) }))));
    for (const { harm } of own.flatMap((set) => set.guards)) {
      const inner = recoverAll;
      recoverAll = () => harm.during('recover', true, inner);
    }
    await recoverAll();
    await expect.poll(listOffAir, { timeout: onAirPatienceMs }).toEqual([]);
    const sessions = await service.app.session.list({ streamId: bystander.streamId });
    await started.disposeAsync();
    const seen = {
      faults,
      logFaults: service.logLines.filter((line) => line.includes('An internal error was contained.')),
      leftovers: await settleHoldings(before, leftoverPatienceMs),
      lies: streams.flatMap(({ truths }) => truths.flatMap(({ lies }) => lies)),
      harms: guards.flatMap(({ harm }) => harm.harms),
      viewerFaults: streams.flatMap(({ viewers }) => viewers.flatMap((viewer) => viewer.faults)),
      open: findOpenRows(dataFolder),
      bystanderBroadcasts: sessions.length,
    };
    expect(seen, done.join('\n')).toEqual({
      faults: [],
      logFaults: [],
      leftovers: [],
      lies: [],
      harms: [],
      viewerFaults: [],
      open: [],
      bystanderBroadcasts: 1,
    });
    expect(streams.every(({ truths }) => truths.every(({ checks }) => checks > seconds / 4))).toBe(true);
  },
  (seconds + 240) * 1_000,
);
