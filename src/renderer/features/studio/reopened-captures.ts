import type { PageCaptureOrder } from '../../../shared/model/page-capture.ts';
import { changeCaptures, type DraftCapture, listCaptures } from './draft-captures.ts';
import type { SourceDraft } from './source-draft.ts';
import type { PageCapturesHook } from './use-page-captures.ts';

/** A page capture of a draft that no page makes any more: captures end with the service, or when unused for a while. */
export interface GoneCapture {
  captureId: string;
  /** How to capture it again. */
  order: PageCaptureOrder;
  /** Whether the user would be asked for it; a device that was allowed is opened again without a question. */
  asks: boolean;
}

type Places = Pick<PageCapturesHook, 'isGone' | 'place' | 'devices' | 'app'>;

/** The captures of a draft that are gone. */
export function findGone(draft: SourceDraft, pages: Places): GoneCapture[] {
  return listCaptures(draft)
    .filter(({ captureId }) => pages.isGone(captureId))
    .map((capture) => ({ captureId: capture.captureId, ...describeReopening(capture, pages) }));
}

function describeReopening(
  { of, name, device }: DraftCapture,
  { place, devices, app }: Places,
): Pick<GoneCapture, 'order' | 'asks'> {
  // In the app, where screens are chosen from our own list, sound needs no choice.
  if (of === 'system') return { order: { of }, asks: app?.picker !== 'list' };
  const deviceId = device?.place === place ? device.id : undefined;
  const byId = deviceId !== undefined && { deviceId };
  if (of === 'camera' || of === 'microphone') return { order: { of, ...byId }, asks: deviceId === undefined };
  // The id of a window may belong to another one by now.
  const isListed = devices.some((listed) => listed.of === of && listed.id === deviceId && listed.name === name);
  return { order: { of: 'screen', withSound: true, ...(isListed && byId) }, asks: !isListed };
}

/** The draft with one capture replaced by another, wherever it is used. */
export function replaceCapture(draft: SourceDraft, captureId: string, next: string): SourceDraft {
  return changeCaptures(draft, (capture) => (capture.captureId === captureId ? { captureId: next } : undefined));
}
