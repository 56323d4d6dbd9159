import type { PageCaptureOrder } from '../../../shared/model/page-capture.ts';
import type { SoundSource } from '../../../shared/model/source.ts';
import type { DeviceDraft, SourceDraft } from './source-draft.ts';
import type { PageCaptures } from './use-page-captures.ts';

/** A page capture of a draft that no page makes any more: captures end with the service, or when unused for a while. */
export interface GoneCapture {
  captureId: string;
  /** How to capture it again. */
  order: PageCaptureOrder;
  /** Whether the user would be asked for it; a device that was allowed is opened again without a question. */
  asks: boolean;
}

type Places = Pick<PageCaptures, 'isGone' | 'place' | 'devices' | 'app'>;

/** The captures of a draft that are gone. */
export function findGone({ picture, inset, sounds }: SourceDraft, pages: Places): GoneCapture[] {
  const pictures = [
    ...('from' in picture ? [{ of: picture.kind, from: picture.from }] : []),
    ...(inset ? [{ of: 'camera' as const, from: inset.from }] : []),
  ].flatMap(({ of, from }) => (from?.by === 'page' ? [{ captureId: from.captureId, ...reopenPicture(of, from, pages) }] : []));
  const own = sounds
    .flatMap(({ of }) => (of.kind === 'page' ? [{ captureId: of.captureId, ...reopenSound(of, pages) }] : []))
    // The sound of a screen comes with it.
    .filter(({ captureId }) => pictures.every((other) => other.captureId !== captureId));
  return [...pictures, ...own].filter(({ captureId }) => pages.isGone(captureId));
}

type Reopening = Pick<GoneCapture, 'order' | 'asks'>;

function reopenPicture(
  of: 'screen' | 'window' | 'camera',
  { name, device }: Extract<DeviceDraft, { by: 'page' }>,
  { place, devices }: Places,
): Reopening {
  const deviceId = device?.place === place ? device.id : undefined;
  if (of === 'camera') return { order: { of, ...(deviceId !== undefined && { deviceId }) }, asks: deviceId === undefined };
  // The id of a window may belong to another one by now.
  const isListed = devices.some((listed) => listed.of === of && listed.id === deviceId && listed.name === name);
  const order: PageCaptureOrder = { of: 'screen', withSound: true };
  return isListed && deviceId !== undefined ? { order: { ...order, deviceId }, asks: false } : { order, asks: true };
}

function reopenSound({ of, device }: Extract<SoundSource, { kind: 'page' }>, { place, app }: Places): Reopening {
  // In the app, where screens are chosen from our own list, sound needs no choice.
  if (of === 'system') return { order: { of }, asks: app?.picker !== 'list' };
  const deviceId = device?.place === place ? device.id : undefined;
  return { order: { of, ...(deviceId !== undefined && { deviceId }) }, asks: deviceId === undefined };
}

/** The draft with one capture replaced by another, wherever it is used. */
export function replaceCapture(draft: SourceDraft, captureId: string, next: string): SourceDraft {
  const replace = (from: DeviceDraft | undefined): DeviceDraft | undefined =>
    from?.by === 'page' && from.captureId === captureId ? { ...from, captureId: next } : from;
  const { picture, inset, sounds } = draft;
  return {
    ...draft,
    picture: 'from' in picture ? { ...picture, from: replace(picture.from) } : picture,
    inset: inset && { ...inset, from: replace(inset.from) },
    sounds: sounds.map((input) =>
      input.of.kind === 'page' && input.of.captureId === captureId ? { ...input, of: { ...input.of, captureId: next } } : input,
    ),
  };
}
