import { MonitorUp, Video } from 'lucide-react';
import { useEffect } from 'react';
import { type DeviceList, deviceListOf, type ListedDevice } from '../../../shared/model/capture.ts';
import { findListedDevice } from '../../../shared/model/device-id.ts';
import type { PageCaptureOrder, PageDevice } from '../../../shared/model/page-capture.ts';
import { describeLacking, describeRefusedScreens } from '../../../shared/words/capture-words.ts';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useGone } from '../../hooks/use-gone.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import styles from './device-field.module.css';
import { PageState } from './page-state.tsx';
import type { DeviceDraft } from './source-draft.ts';
import type { PageCapturesHook } from './use-page-captures.ts';
import type { ReopeningCaptures } from './use-reopened-captures.ts';

/** What a device is called in sentences, and what to do if there is none. */
const words = {
  screen: { label: 'Screen', none: "Screens can't be listed here.", share: 'Share a screen…', icon: <MonitorUp aria-hidden /> },
  window: { label: 'Window', none: "Windows can't be listed here.", share: 'Share a window…', icon: <MonitorUp aria-hidden /> },
  camera: {
    label: 'Camera',
    none: 'No camera is connected. Plug one in: it appears here.',
    share: 'Camera of this browser…',
    icon: <Video aria-hidden />,
  },
} as const;

interface DeviceFieldProps {
  kind: keyof typeof words;
  label?: string;
  value: DeviceDraft | undefined;
  onValue: (device: DeviceDraft) => void;
  /** The devices of the service's computer; undefined until they are known. */
  devices: DeviceList | undefined;
  pages: ReopeningCaptures;
  fault: string | undefined;
}

/** Chooses a screen, a window or a camera: one that is connected now, or one that a page captures. */
export function DeviceField({ kind, label, value: chosen, onValue, devices, pages, fault }: DeviceFieldProps) {
  const { none, share, icon } = words[kind];
  const listed = devices?.[deviceListOf[kind]];
  const lack = describeLacking([kind], devices?.lacking) ?? describeRefusal(kind, pages);
  const value = asListed(kind, chosen, listed);
  const latest = useLatest(onValue);
  const gone = useGone(value === undefined ? kind : keyOf(value));
  const options = listOptions({ kind, value, devices: listed, pages });
  const only = kind !== 'window' && value === undefined && options.length === 1 ? options[0]?.device : undefined;
  useEffect(() => {
    // There is nothing to choose from.
    if (only !== undefined) onValue(only);
  });
  const orderPage = (order: PageCaptureOrder, name: string) => {
    const signal = gone();
    pages.ask(order, (captureId) => {
      // Another device, or another kind of picture, may have been chosen meanwhile.
      if (!signal.aborted) latest.current({ by: 'page', captureId, name });
    });
  };
  const choose = (key: string) => {
    const option = options.find((other) => other.value === key);
    if (option?.device !== undefined) onValue(option.device);
    else if (option?.page !== undefined) orderPage(toOrder(option.page), option.page.name);
  };
  return (
    <div className={styles.device}>
      <SelectField
        label={label ?? words[kind].label}
        value={value && keyOf(value)}
        onValue={choose}
        options={options}
        isDisabled={options.length === 0}
        placeholder={devices === undefined ? 'Looking…' : options.length === 0 ? 'None found' : `Choose a ${kind}`}
        fault={fault}
      />
      {lack === undefined ? null : <p className={styles.note}>{lack}</p>}
      {lack === undefined && listed?.length === 0 && value === undefined ? <p className={styles.note}>{none}</p> : null}
      {mayShare(kind, pages) ? (
        <Button
          icon={icon}
          isPending={pages.order.isPending}
          onClick={() => orderPage(kind === 'camera' ? { of: 'camera' } : { of: 'screen', withSound: true }, words[kind].label)}
        >
          {pages.isApp && kind === 'camera' ? 'Camera, by this app…' : share}
        </Button>
      ) : null}
      {value?.by === 'page' ? <PageState captureId={value.captureId} pages={pages} /> : null}
    </div>
  );
}

interface DeviceOption {
  value: string;
  label: string;
  note: string | undefined;
  device: DeviceDraft | undefined;
  page: PageDevice | undefined;
}

/** The service's devices, those that a page names, and the chosen one even if it has gone. */
function listOptions({
  kind,
  value,
  devices,
  pages,
}: Pick<DeviceFieldProps, 'kind' | 'value' | 'pages'> & { devices: readonly ListedDevice[] | undefined }): DeviceOption[] {
  const own = (devices ?? []).map(({ id, name, isDefault, isHidden }): DeviceOption => {
    const device: DeviceDraft = { by: 'service', device: { id, name } };
    const note = isDefault ? 'default' : isHidden ? 'minimised' : undefined;
    return { value: keyOf(device), label: name, note, device, page: undefined };
  });
  const ofPages = pages.devices
    .filter(({ of }) => of === kind)
    .map(
      (page): DeviceOption => ({
        value: `page-device ${page.id}`,
        label: page.name,
        note: pages.isApp ? undefined : 'this browser',
        device: undefined,
        page,
      }),
    );
  const listed = [...own, ...ofPages];
  if (value === undefined || listed.some((option) => option.value === keyOf(value))) return listed;
  const isShared = value.by === 'page';
  const name = isShared ? value.name : value.device.name;
  const note = isShared ? 'shared' : 'not connected';
  return [{ value: keyOf(value), label: name, note, device: value, page: undefined }, ...listed];
}

/** The chosen device as it is listed now: a window that was opened again has another id. */
function asListed(
  kind: DeviceFieldProps['kind'],
  chosen: DeviceDraft | undefined,
  listed: readonly ListedDevice[] = [],
): DeviceDraft | undefined {
  const found = chosen?.by === 'service' ? findListedDevice(kind, listed, chosen.device) : undefined;
  return found === undefined ? chosen : { by: 'service', device: { id: found.id, name: found.name } };
}

function keyOf(device: DeviceDraft): string {
  return device.by === 'page' ? `page ${device.captureId}` : `device ${device.device.id}`;
}

function toOrder({ of, id }: PageDevice): PageCaptureOrder {
  return of === 'camera' || of === 'microphone' ? { of, deviceId: id } : { of: 'screen', deviceId: id, withSound: true };
}

/** Why the app can't list any. */
function describeRefusal(kind: keyof typeof words, { app }: PageCapturesHook): string | undefined {
  return kind !== 'camera' && app?.areScreensRefused ? describeRefusedScreens() : undefined;
}

/** Whether a page can be asked for one that isn't listed. */
function mayShare(kind: keyof typeof words, { isApp, app }: PageCapturesHook): boolean {
  return !isApp || (kind === 'camera' ? true : app?.picker === 'asks');
}
