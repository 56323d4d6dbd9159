import { expect, onTestFinished, test, vi } from 'vitest';
import { loopedFile } from '../../../test/support/looped-file.ts';
import { foundTools, goLive, planned, setUpOneClicks } from '../../../test/support/one-click-stand.ts';
import { soon } from '../../../test/support/soon.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { onFault } from '../lib/faults.ts';
import type { EncodePlan } from './encode-planner.ts';
import type { EncodeTools } from './encode-tools.ts';
import { OneClick } from './one-click.ts';

test('a stream is taken at once: a second Go live is refused while the first looks for ffmpeg', async () => {
  const tools = Promise.withResolvers<EncodeTools>();
  const { oneClicks } = setUpOneClicks({ findTools: () => tools.promise });
  const first = goLive(oneClicks);
  expect(oneClicks.state('show')).toMatchObject({ kind: 'starting', source: testSource });
  await expect(goLive(oneClicks)).rejects.toMatchObject({ code: 'ALREADY_LIVE' });
  tools.resolve({ ...foundTools, ffmpeg: { kind: 'missing', reason: { code: 'not-found' } } });
  await expect(first).rejects.toMatchObject({ code: 'FFMPEG_NOT_FOUND', details: { missingFfmpeg: { code: 'not-found' } } });
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

test('Stop while ffmpeg is being looked for cancels the start: nothing runs when it is found', async () => {
  const tools = Promise.withResolvers<EncodeTools>();
  const { oneClicks, told, plans } = setUpOneClicks({ findTools: () => tools.promise });
  const start = goLive(oneClicks);
  await oneClicks.stop('show');
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
  await start;
  tools.resolve(foundTools);
  await new Promise(setImmediate);
  expect(told).toEqual(['show: starting', 'show: idle']);
  expect(plans()).toBe(0);
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

test('Stop while the encoding is being planned cancels the start, and the stream is free for the next Go live', async () => {
  const plan = Promise.withResolvers<EncodePlan>();
  const { oneClicks } = setUpOneClicks({ planner: { plan: () => plan.promise } });
  const first = goLive(oneClicks);
  await new Promise(setImmediate);
  const stopped = oneClicks.stop('show');
  const second = goLive(oneClicks);
  await Promise.all([first, stopped]);
  expect(oneClicks.state('show').kind).toBe('starting');
  plan.resolve(planned);
  await second;
  expect(oneClicks.state('show')).toMatchObject({ kind: 'starting' });
});

test('Stop in the turn in which the preparation ends cancels the start', async () => {
  const { promise, resolve } = Promise.withResolvers<EncodePlan>();
  const { oneClicks } = setUpOneClicks({ planner: { plan: () => promise } });
  for (let turns = 0; turns < 12; turns += 1) {
    const start = goLive(oneClicks);
    resolve(planned);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await Promise.all([oneClicks.stop('show'), start]);
    expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
  }
});

test('a broadcast that stops still says what it is', async () => {
  const { oneClicks } = setUpOneClicks();
  await goLive(oneClicks);
  const stopped = oneClicks.stop('show');
  const encode = { kind: 'preset', name: '720p30' };
  expect(oneClicks.state('show')).toEqual({ kind: 'stopping', source: testSource, encode, settings: planned.preview.settings });
  await stopped;
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

test('deleting a stream while its broadcast starts cancels the start, at any step', async () => {
  const tools = Promise.withResolvers<EncodeTools>();
  const plan = Promise.withResolvers<EncodePlan>();
  const asked = Promise.withResolvers<void>();
  const { oneClicks, told } = setUpOneClicks({
    findTools: () => tools.promise,
    planner: {
      plan() {
        asked.resolve();
        return plan.promise;
      },
    },
  });
  const first = goLive(oneClicks);
  await Promise.all([oneClicks.forget('show'), first]);
  tools.resolve(foundTools);
  const second = goLive(oneClicks);
  await asked.promise;
  await Promise.all([oneClicks.forget('show'), second]);
  plan.resolve(planned);
  await new Promise(setImmediate);
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
  expect(told).toEqual(['show: starting', 'show: idle', 'show: starting', 'show: idle']);
});

test('a broadcast that failed says so until its stream is deleted', async () => {
  const failed = Promise.withResolvers<void>();
  const { oneClicks, told } = setUpOneClicks({ onEvent: () => failed.resolve() });
  await goLive(oneClicks);
  await failed.promise;
  await oneClicks.stop('show');
  expect(oneClicks.state('show').kind).toBe('failed');
  expect(told.filter((line) => line.startsWith('show failed: '))).toHaveLength(1);
  await oneClicks.forget('show');
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

/** Has a broadcast failed; how the next one is prepared is up to the test. */
async function setUpFailed() {
  const prepare = vi.fn(async () => {});
  const findTools = vi.fn(async () => foundTools);
  const { oneClicks } = setUpOneClicks({ prepare, findTools });
  await goLive(oneClicks);
  await soon(() => expect(oneClicks.state('show').kind).toBe('failed'));
  return { oneClicks, prepare, findTools };
}

test('a start that is cancelled does not bring back the failure before it', async () => {
  const { oneClicks, findTools } = await setUpFailed();
  findTools.mockReturnValueOnce(new Promise(() => {}));
  const start = goLive(oneClicks);
  await oneClicks.stop('show');
  await start;
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

test('a start that is refused does not bring back the failure before it', async () => {
  const { oneClicks, prepare } = await setUpFailed();
  prepare.mockRejectedValueOnce(new Error('no region'));
  await expect(goLive(oneClicks)).rejects.toThrow('no region');
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
});

test('a failure can be forgotten, and nothing else is', async () => {
  const failed = Promise.withResolvers<void>();
  const { oneClicks, told } = setUpOneClicks({ onEvent: () => failed.resolve() });
  const start = goLive(oneClicks);
  oneClicks.forgetFailure('show');
  expect(oneClicks.state('show').kind).toBe('starting');
  await start;
  await failed.promise;
  expect(oneClicks.state('show').kind).toBe('failed');
  oneClicks.forgetFailure('show');
  await soon(() => expect(told.at(-1)).toBe('show: idle'));
});

test('a broadcast ends even if the listener for its failure throws, as when the stream is deleted meanwhile', async () => {
  const faults: string[] = [];
  onTestFinished(onFault(({ error }) => faults.push((error as Error).message)));
  const refuse = (what: string) => () => {
    throw new Error(`No stream has this id: ${what}`);
  };
  const { oneClicks, told } = setUpOneClicks({ onEvent: refuse('event'), onFailed: refuse('failure') });
  await goLive(oneClicks);
  await soon(() => expect(told.at(-1)).toBe('show: failed'));
  expect(faults).toEqual(['No stream has this id: failure', 'No stream has this id: event']);
});

test('once closed, nothing starts, and pending starts are cancelled', async () => {
  const tools = Promise.withResolvers<EncodeTools>();
  const { oneClicks } = setUpOneClicks({ findTools: () => tools.promise });
  const start = goLive(oneClicks);
  await oneClicks.close();
  tools.resolve(foundTools);
  await start;
  expect(oneClicks.state('show')).toEqual({ kind: 'idle' });
  await expect(goLive(oneClicks)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test.each(['stop', 'stop and go live again'])(
  '%s while the files of another source are looked for: nothing is opened for it',
  async (what) => {
    const { oneClicks } = setUpOneClicks();
    await goLive(oneClicks);
    const change = oneClicks.changeSource('show', loopedFile(import.meta.filename));
    const refused = expect(change).rejects.toMatchObject({ code: 'OFF_AIR' });
    await oneClicks.stop('show');
    if (what !== 'stop') await goLive(oneClicks);
    await refused;
  },
);

/** A broadcast that runs, and the sources that it was told to change to. */
async function setUpRunning() {
  const { oneClicks } = setUpOneClicks();
  await goLive(oneClicks);
  const state = vi.spyOn(OneClick.prototype, 'state', 'get').mockReturnValue({ kind: 'running' } as OneClickState);
  const changeSource = vi.spyOn(OneClick.prototype, 'changeSource').mockResolvedValue();
  onTestFinished(() => [state, changeSource].forEach((spy) => void spy.mockRestore()));
  return { oneClicks, sources: () => changeSource.mock.calls.map(([source]) => source) };
}

const fileSource = loopedFile(import.meta.filename);

test('of two changes of source the later one stays, even if the files of the earlier one are found after it is on', async () => {
  const { oneClicks, sources } = await setUpRunning();
  const refused = expect(oneClicks.changeSource('show', fileSource)).rejects.toMatchObject({ code: 'CHANGE_OVERTAKEN' });
  await oneClicks.changeSource('show', testSource);
  await refused;
  expect(sources()).toEqual([testSource]);
  // One that begins after them is in time.
  await oneClicks.changeSource('show', fileSource);
  expect(sources()).toEqual([testSource, fileSource]);
});

test('a later change whose file is not there overtakes nothing', async () => {
  const { oneClicks, sources } = await setUpRunning();
  const earlier = oneClicks.changeSource('show', fileSource);
  const later = oneClicks.changeSource('show', loopedFile(`${import.meta.filename}.gone`));
  await expect(later).rejects.toMatchObject({ code: 'SOURCE_FAILED' });
  await earlier;
  expect(sources()).toEqual([fileSource]);
});
