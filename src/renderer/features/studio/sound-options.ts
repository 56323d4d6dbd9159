import type { DeviceList, ListedDevice } from '../../../shared/model/capture.ts';
import type { PageCaptureOrder } from '../../../shared/model/page-capture.ts';
import { type SoundSource, soundKey } from '../../../shared/model/source.ts';
import type { SourceDraft } from './source-draft.ts';
import { nameSound } from './source-names.ts';
import type { PageCapturesHook } from './use-page-captures.ts';

/** Something that can be added to the mix: a sound, files still to be chosen, or a page capture. */
export interface SoundOption {
  value: string;
  label: string;
  note?: string;
  what: { kind: 'sound'; of: SoundSource } | { kind: 'browse' } | SoundOrder;
}

/** A sound that a page captures. */
interface SoundOrder {
  kind: 'order';
  order: PageCaptureOrder;
  name: string;
}

/** Everything that can be added to a draft's mix now; sounds already in it are left out. */
export function listSounds(
  { picture, sounds }: Pick<SourceDraft, 'picture' | 'sounds'>,
  devices: DeviceList | undefined,
  pages: Pick<PageCapturesHook, 'isApp' | 'app' | 'devices' | 'find' | 'place'>,
): SoundOption[] {
  const sound = (of: SoundSource, note?: string): SoundOption => ({
    value: JSON.stringify(of),
    label: nameSound(of),
    ...(note !== undefined && { note }),
    what: { kind: 'sound', of },
  });
  const own =
    (kind: 'microphone' | 'system', note: string) =>
    ({ id, name, isMuted }: ListedDevice) =>
      sound({ kind, device: { id, name } }, isMuted === true ? `${note}, muted at the device` : note);
  // In the order of the list.
  const offered: Readonly<Record<SoundSource['kind'] | 'shared', readonly SoundOption[]>> = {
    'of-picture': picture.kind === 'files' ? [sound({ kind: 'of-picture' })] : [],
    shared: sharedSound(picture, pages).map((of) => sound(of, 'shared')),
    microphone: (devices?.microphones ?? []).map(own('microphone', 'microphone')),
    system: (devices?.systemSounds ?? []).map(own('system', 'what this computer plays')),
    page: listPageSounds(pages, devices?.by.microphone === 'page'),
    files: [{ value: 'browse', label: 'Music or other files…', what: { kind: 'browse' } }],
    'test-tone': [sound({ kind: 'test-tone' })],
  };
  const inMix = new Set(sounds.map(({ of }) => soundKey(of)));
  const isInMix = ({ what }: SoundOption) =>
    what.kind !== 'browse' && inMix.has(soundKey(what.kind === 'sound' ? what.of : toSound(what, '', pages.place)));
  return Object.values(offered)
    .flat()
    .filter((option) => !isInMix(option));
}

/** The sound that an ordered capture gives. A device chosen by name is known before any page has opened it. */
export function toSound({ order: { of, deviceId }, name }: SoundOrder, captureId: string, place: string): SoundSource {
  const device = deviceId !== undefined && { device: { place, id: deviceId } };
  return { kind: 'page', captureId, of: of === 'microphone' ? 'microphone' : 'system', name, ...device };
}

/** The sound of a screen that a page shares together with its picture. */
function sharedSound(picture: SourceDraft['picture'], pages: Pick<PageCapturesHook, 'find'>): SoundSource[] {
  if (!('from' in picture) || picture.from?.by !== 'page') return [];
  const { captureId } = picture.from;
  const state = pages.find(captureId)?.state;
  if (state?.kind !== 'open' || !state.hasSound) return [];
  return [{ kind: 'page', captureId, of: 'system', name: `Sound of ${state.name}` }];
}

/** What a page can capture: by name once it was allowed to name its devices, else by asking. */
function listPageSounds(
  { isApp, app, devices }: Pick<PageCapturesHook, 'isApp' | 'app' | 'devices'>,
  isOnlyWay: boolean,
): SoundOption[] {
  const named = devices
    .filter(({ of }) => of === 'microphone')
    .map(
      ({ id, name }): SoundOption => ({
        value: `page-microphone ${id}`,
        label: name,
        note: isApp ? 'by this app' : 'this browser',
        what: { kind: 'order', order: { of: 'microphone', deviceId: id }, name },
      }),
    );
  const ask = (of: 'microphone' | 'system', label: string): SoundOption => ({
    value: `page-${of}`,
    label,
    what: { kind: 'order', order: { of }, name: of === 'microphone' ? 'Microphone' : 'System sound' },
  });
  if (isApp) {
    return [
      ...(isOnlyWay && named.length === 0 ? [ask('microphone', 'Microphone, by this app…')] : named),
      ...(app?.hasSystemSound === true ? [ask('system', 'System sound…')] : []),
    ];
  }
  return [
    ...(named.length > 0 ? named : [ask('microphone', 'Microphone of this browser…')]),
    ask('system', 'Sound of a tab or of this computer…'),
  ];
}
