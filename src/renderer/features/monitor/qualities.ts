import type { AirState, Meters, RenditionView } from '../../../shared/model/live.ts';
import { bitrateBps, sourceRenditionName } from '../../../shared/model/profile.ts';
import { formatDecimal, unknownValue } from '../../format/quantity.ts';
import {
  describeMeasured,
  describeRendition,
  describeSource,
  formatPictureSize,
  formatRate,
  type RenditionStatus,
} from '../../status/rendition-status.ts';

/** A rendition as the monitor offers it, the source among them. */
export interface Quality {
  /** Its folder below the playback id; absent while it cannot be played. */
  name: string | undefined;
  label: string;
  /** Width and height in pixels, as text. */
  size: string;
  /** The bitrate it measures against what was asked. */
  rate: string;
  /** All it measures, or why it is not there. */
  note: string;
  status: RenditionStatus;
}

/** The source and every rendition, as they can be chosen and watched. */
export function listQualities(
  meters: Meters | undefined,
  renditions: readonly RenditionView[],
  air: AirState,
): readonly Quality[] {
  const fps = meters?.fps === undefined ? unknownValue : formatDecimal(meters.fps, 1);
  const keyframes = meters?.keyframeIntervalSeconds?.toFixed(1) ?? unknownValue;
  const source: Quality = {
    name: sourceRenditionName,
    label: 'Source',
    size: meters?.height === undefined ? unknownValue : `${meters.width} × ${meters.height}`,
    rate: formatRate(meters?.bitrateBps),
    note: `${formatRate(meters?.bitrateBps)} · ${fps} fps · keyframes ${keyframes} s`,
    status: describeSource(air),
  };
  return [source, ...renditions.map((rendition) => toQuality(rendition, air))];
}

function toQuality(rendition: RenditionView, air: AirState): Quality {
  const status = describeRendition(rendition.state, air);
  // One that waits for its next segment plays what it has.
  const isMade = rendition.state === 'running' || rendition.state === 'waiting';
  return {
    name: isMade ? rendition.name : undefined,
    label: rendition.asked.name,
    size: formatPictureSize(rendition),
    rate: formatRate(rendition.bitrateBps, bitrateBps(rendition.asked.bitrate)),
    note: status.sentence ?? describeMeasured(rendition),
    status,
  };
}

/** The rendition's folder in the URL of its media playlist; undefined where there is none. */
export function parseRenditionFolder(playlistUrl: string): string | undefined {
  const folder = new URL(playlistUrl, 'http://any.invalid').pathname.split('/').at(-2);
  return folder === undefined || folder === '' ? undefined : decodeURIComponent(folder);
}

/** The media playlist of a rendition beside the multivariant playlist. */
export function renditionUrl(multivariantUrl: string, name: string): string {
  return new URL(`${encodeURIComponent(name)}/index.m3u8`, multivariantUrl).href;
}
