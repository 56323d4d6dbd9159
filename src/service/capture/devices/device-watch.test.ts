import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ListedDevice } from '../../../shared/model/capture.ts';
import { DeviceWatch } from './device-watch.ts';
import type { FoundDevices } from './found-devices.ts';

const by = { screen: 'service', window: 'service', camera: 'service', microphone: 'service', system: 'service' } as const;
const nothing: FoundDevices = { screens: [], windows: [], cameras: [], microphones: [], systemSounds: [], by };
const camera = { id: 'cam', name: 'Camera' };
const mic = { id: 'mic', name: 'Microphone' };
const of = (kind: 'camera' | 'microphone', device: ListedDevice) => ({ kind, device });

/** A watch of a computer whose devices are what `looks` says, one look after the other; the last one remains. */
function watchDevices(...looks: (FoundDevices | Error)[]) {
  const progress = new EventTarget();
  let looked = 0;
  const watch = new DeviceWatch(async () => ({ paths: new Map(), installCommand: undefined }), {
    pollMs: 1,
    list: async () => {
      const look = looks[Math.min(looked, looks.length - 1)]!;
      looked += 1;
      progress.dispatchEvent(new Event('look'));
      if (look instanceof Error) throw look;
      return look;
    },
  });
  return {
    watch,
    get looked() {
      return looked;
    },
    /** Waits until the answer of a look has been taken in: the next one has begun. */
    async pass(look: number) {
      while (looked <= look) await once(progress, 'look');
    },
  };
}

test('devices that come and go are reported, once for each change', async () => {
  const stage = watchDevices(nothing, { ...nothing, cameras: [camera] }, { ...nothing, cameras: [camera] }, nothing);
  const { watch } = stage;
  expect([watch.devices, watch.find(of('camera', camera))]).toEqual([undefined, undefined]);
  const told: unknown[] = [];
  const off = watch.onChange(() => told.push([watch.devices?.cameras, watch.find(of('camera', camera))]));
  await stage.pass(4);
  off();
  watch.close();
  expect(told).toEqual([
    [[], 'missing'],
    [[camera], camera],
    [[], 'missing'],
  ]);
});

test('a look that fails, or that leaves out a list, changes nothing of what is known', async () => {
  const stage = watchDevices(
    { ...nothing, cameras: [camera], microphones: [mic] },
    { ...nothing, cameras: undefined, microphones: [mic] },
    { ...nothing, cameras: undefined, microphones: [] },
  );
  const { watch } = stage;
  const told: unknown[] = [];
  const off = watch.onChange(() => told.push([watch.find(of('camera', camera)), watch.find(of('microphone', mic))]));
  await stage.pass(3);
  off();
  watch.close();
  expect(told).toEqual([
    [camera, mic],
    [camera, 'missing'],
  ]);
  expect(watch.devices).toEqual({ ...nothing, cameras: [camera] });
});

test('devices that could never be listed are neither there nor missing', async () => {
  const stage = watchDevices({ ...nothing, cameras: undefined });
  const off = stage.watch.onChange(() => {});
  await stage.pass(1);
  off();
  stage.watch.close();
  expect(stage.watch.find(of('camera', camera))).toBeUndefined();
  expect(stage.watch.devices).toEqual(nothing);
});

test('it looks only while anybody listens, and again at once for the next', async () => {
  const stage = watchDevices(nothing);
  stage.watch.onChange(() => {})();
  await stage.pass(0);
  const off = stage.watch.onChange(() => {});
  await stage.pass(2);
  off();
  stage.watch.close();
});

test('a monitor that is left alone is still known by its name, and offered only as the whole screen', async () => {
  const whole = { id: ':0', name: 'Whole screen' };
  const [left, right] = [
    { id: ':0@eDP-1 1920x1080+0,0', name: 'eDP-1' },
    { id: ':0@HDMI-1 1920x1080+1920,0', name: 'HDMI-1' },
  ];
  const alone = { id: ':0@HDMI-1 1920x1080+0,0', name: 'HDMI-1' };
  const { watch } = watchDevices(
    { ...nothing, screens: [whole, left, right] },
    { ...nothing, screens: [whole], furtherScreens: [alone] },
    { ...nothing, screens: undefined },
  );
  const find = () => [left, right].map((device) => watch.find({ kind: 'screen', device }));
  await watch.look();
  expect(find()).toEqual([left, right]);
  for (let looks = 0; looks < 2; looks += 1) {
    await watch.look();
    expect(find()).toEqual(['missing', alone]);
    expect(watch.devices?.screens).toEqual([whole]);
  }
  expect(watch.find({ kind: 'screen', device: { id: ':1', name: 'Another display' } })).toBeUndefined();
});

describe('a window that is closed', () => {
  const terminal = (window: number) => ({ id: `0x${window}#4711 Terminal`, name: 'Terminal' });
  const [w1, w2, w3, w4] = [terminal(1), terminal(2), terminal(3), terminal(4)];
  const see = (...windows: ListedDevice[]): FoundDevices => ({ ...nothing, windows });

  /** The window found for a chosen one, look by look. */
  async function findAfterEach(device: ListedDevice, ...looks: FoundDevices[]) {
    const { watch } = watchDevices(...looks);
    const found: unknown[] = [];
    for (const _look of looks) {
      await watch.look();
      found.push(watch.find({ kind: 'window', device }));
    }
    return found;
  }

  test("isn't taken for another of its program and title that was open beside it, only for one that is opened later", async () => {
    expect(await findAfterEach(w1, see(w1, w2), see(w2), see(w2, w3))).toEqual([w1, 'missing', w3]);
  });

  test("opened again, it isn't taken for one that was open beside it then", async () => {
    expect(await findAfterEach(w1, see(w1), see(), see(w3), see(w3, w2), see(w2), see(w2, w4))).toEqual([
      ...[w1, 'missing', w3],
      ...[w3, 'missing', w4],
    ]);
  });

  test('is missing while two have been opened since', async () => {
    expect(await findAfterEach(w1, see(w1), see(w2, w3), see(w3))).toEqual([w1, 'missing', w3]);
  });

  test('is found again under its own number, and what was not listed for a while is no new one', async () => {
    const unknown = { ...nothing, windows: undefined };
    const looks = [see(w1, w2), see(w1), see(), unknown, see(w2), see(w2, w3), see(w1, w2, w3), see(w2, w3)];
    expect(await findAfterEach(w1, ...looks)).toEqual([...[w1, w1, 'missing', 'missing', 'missing', w3], ...[w1, 'missing']]);
  });

  test('and was chosen before the start is the only one of its program and title', async () => {
    expect(await findAfterEach(w1, see(w2, w3))).toEqual(['missing']);
    expect(await findAfterEach(w1, see(w2), see(w2, w3), see(w3))).toEqual([w2, w2, 'missing']);
  });
});
