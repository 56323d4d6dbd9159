import type { ListedDevice } from '../../../shared/model/capture.ts';

/**
 * Appends a number to each of several devices with the same name, as for two of one model.
 *
 * @param idOf the id of the nth such device, counted from 1, if the system has no ids of its own
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
