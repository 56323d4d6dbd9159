import { type DeviceKind, type DeviceList, deviceListOf, type ListedDevice } from '../../../shared/model/capture.ts';

/**
 * The result of one look. A list is undefined if the system didn't report it, for example because a program that lists devices failed;
 * the devices may still be there.
 */
export type FoundDevices = Pick<DeviceList, 'by' | 'lacking'> &
  Record<(typeof deviceListOf)[DeviceKind], readonly ListedDevice[] | undefined> & {
    /** Screens to offer as long as they can't be listed. */
    assumedScreens?: readonly ListedDevice[];
    /** Screens that show the same as an offered one. They aren't offered, but may have been chosen before. */
    furtherScreens?: readonly ListedDevice[];
  };

/** Merges a new look into the known devices; lists that the look lacks stay. */
export function mergeFound(before: FoundDevices | undefined, found: FoundDevices): FoundDevices {
  const merged = { ...found };
  for (const list of Object.values(deviceListOf)) merged[list] ??= before?.[list];
  if (found.screens === undefined && before?.furtherScreens) merged.furtherScreens = before.furtherScreens;
  return merged;
}

/** The known devices of a kind; undefined if they could never be listed. */
export function findList(found: FoundDevices, kind: DeviceKind): readonly ListedDevice[] | undefined {
  const list = found[deviceListOf[kind]];
  return kind === 'screen' && list ? [...list, ...(found.furtherScreens ?? [])] : list;
}

/** The devices to choose from. */
export function toDeviceList(found: FoundDevices): DeviceList {
  const {
    assumedScreens = [],
    screens = assumedScreens,
    windows = [],
    cameras = [],
    microphones = [],
    systemSounds = [],
    by,
    lacking,
  } = found;
  return {
    screens: [...screens],
    windows: [...windows],
    cameras: [...cameras],
    microphones: [...microphones],
    systemSounds: [...systemSounds],
    by,
    ...(lacking && { lacking }),
  };
}
