import { isArriving } from '../../../shared/is-arriving.ts';
import type { AirState, Meters, RenditionView } from '../../../shared/model/live.ts';
import { bitrateBps, sourceRenditionName } from '../../../shared/model/profile.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { formatDecimal, unknownValue } from '../../format/quantity.ts';
import {
  describeMeasured,
  describeRendition,
  describeSourceState,
  formatPictureSize,
  formatRate,
  formatSentSize,
  type RenditionStatus,
} from '../../status/rendition-status.ts';
import { cannotDecode } from './hold-sentence.ts';

/** A rendition as the monitor offers it, including the source. */
export interface Quality {
  /** Its folder below the playback id; absent while it can't be played. */
  name: string | undefined;
  label: string;
  /** Width and height in pixels, as text. */
  size: string;
  /** Its measured bitrate against its profile's. */
  rate: string;
  /** All its measurements, or why it is missing. */
  note: string;
  status: RenditionStatus;
}

/** The source and every rendition, to choose from and to watch. `isUnheard`: their service doesn't answer. */
export function listQualities(
  meters: Meters | undefined,
  renditions: readonly RenditionView[],
  air: AirState,
  isUnheard: boolean,
): readonly Quality[] {
  // While nothing arrives, the last measurement isn't current.
  const isCurrent = isArriving(air) && !isUnheard;
  const rate = formatRate(isCurrent ? meters?.bitrateBps : undefined);
  const status = describeSourceState(air, isUnheard);
  const fps = meters?.fps === undefined ? unknownValue : formatDecimal(meters.fps, 1);
  const keyframes = meters?.keyframeIntervalSeconds?.toFixed(1) ?? unknownValue;
  const source: Quality = {
    name: sourceRenditionName,
    label: 'Source',
    size: formatSentSize(meters) ?? unknownValue,
    rate,
    note: status.sentence ?? `${rate} · ${withUnit(fps, 'fps')} · keyframes ${withUnit(keyframes, 's')}`,
    status,
  };
  return [source, ...renditions.map((rendition) => toQuality(rendition, air, isUnheard))];
}

/** The same list, but renditions that the browser can't decode, given by name, can't be played and say so. */
export function markUndecodable(qualities: readonly Quality[], names: readonly string[] = []): readonly Quality[] {
  return qualities.map((quality) =>
    quality.name !== undefined && names.includes(quality.name) ? { ...quality, name: undefined, note: cannotDecode } : quality,
  );
}

function toQuality(rendition: RenditionView, air: AirState, isUnheard: boolean): Quality {
  const status = describeRendition(rendition.state, air, isUnheard);
  // While waiting for its next segment, it can still play what it has.
  const isMade = rendition.state === 'running' || rendition.state === 'waiting';
  return {
    name: isMade ? rendition.name : undefined,
    label: rendition.asked.name,
    size: formatPictureSize(rendition),
    rate: formatRate(isArriving(air) && !isUnheard ? rendition.bitrateBps : undefined, bitrateBps(rendition.asked.bitrate)),
    note: status.sentence ?? describeMeasured(rendition),
    status,
  };
}

/** The rendition's folder in its media playlist URL; undefined if there is none. */
export function parseRenditionFolder(playlistUrl: string): string | undefined {
  const folder = new URL(playlistUrl, 'http://any.invalid').pathname.split('/').at(-2);
  return folder === undefined || folder === '' ? undefined : decodeURIComponent(folder);
}

/** The media playlist of a rendition, next to the multivariant playlist. */
export function renditionUrl(multivariantUrl: string, name: string): string {
  return new URL(`${encodeURIComponent(name)}/index.m3u8`, multivariantUrl).href;
}
