import type { ListedDevice } from '../../../shared/model/capture.ts';

/**
 * Devices of the same name, as two of one model, get their places among them after it.
 *
 * @param idOf the id of one of them, by its place from 1, if the system has none for each
 */
export function nameTwins(
  listed: readonly ListedDevice[],
  idOf: (device: ListedDevice, place: number) => string = ({ id }) => id,
): ListedDevice[] {
  return listed.map((device) => {
    const twins = listed.filter(({ name }) => name === device.name);
    if (twins.length === 1) return device;
    const place = twins.indexOf(device) + 1;
    return { ...device, id: idOf(device, place), name: `${device.name} (${place})` };
  });
}
