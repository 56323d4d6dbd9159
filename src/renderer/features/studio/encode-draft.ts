import {
  type EncodeChoice,
  type EncodePreset,
  type EncodeSettings,
  encodeBounds,
  encodePresets,
} from '../../../shared/model/encode-settings.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { encodeAdvice } from '../../../shared/words/encode-words.ts';

/** The chosen quality: the way it is chosen, and the fields for custom settings as typed. Bitrates are in kbit/s. */
export interface EncodeDraft {
  kind: 'automatic' | 'by-hand' | EncodePreset;
  /** `1280x720`. */
  size: string;
  fps: string;
  keyframeSeconds: string;
  videoBitrate: string;
  audioBitrate: string;
}

export type EncodeFaults = Partial<Record<keyof typeof encodeAdvice, string>>;

/** The sizes that are offered; a size set elsewhere is added to them. */
export const offeredSizes = ['1280x720', '1920x1080', '2560x1440', '3840x2160'];

/** The form for a stream: the quality it is live with, or was live with last, else automatic. */
export function initialEncodeDraft({ oneClick, lastChoice }: Pick<StreamLive, 'oneClick' | 'lastChoice'>): EncodeDraft {
  return draftOfChoice('encode' in oneClick ? oneClick.encode : lastChoice?.encode);
}

/** The form with the quality on air. The typed fields stay if the quality on air is automatic. */
export function takeOverEncode(draft: EncodeDraft, onAir: EncodeChoice): EncodeDraft {
  return onAir.kind === 'automatic' ? { ...draft, kind: 'automatic' } : draftOfChoice(onAir);
}

function draftOfChoice(choice: EncodeChoice | undefined): EncodeDraft {
  if (choice?.kind === 'by-hand') return fillIn('by-hand', choice.settings);
  return choice?.kind === 'preset' ? choosePreset(choice.name) : fillIn('automatic', encodePresets['720p30']);
}

/** Changes the way to choose. Custom settings begin with the settings before: those in effect if they were automatic. */
export function chooseKind(draft: EncodeDraft, kind: EncodeDraft['kind'], inEffect: EncodeSettings | undefined): EncodeDraft {
  if (kind === 'automatic') return { ...draft, kind };
  if (kind !== 'by-hand') return choosePreset(kind);
  return draft.kind === 'automatic' && inEffect !== undefined ? fillIn(kind, inEffect) : { ...draft, kind };
}

/** The choice, or how to correct the fields. */
export function parseEncodeDraft(draft: EncodeDraft): { choice: EncodeChoice } | { faults: EncodeFaults } {
  const { kind } = draft;
  if (kind === 'automatic') return { choice: { kind } };
  if (kind !== 'by-hand') return { choice: { kind: 'preset', name: kind } };
  const faults: EncodeFaults = {};
  const read = (field: keyof EncodeFaults, { min, max }: { min: number; max: number }, unit = 1) => {
    const value = /^\d+$/.test(draft[field].trim()) ? Number(draft[field]) * unit : Number.NaN;
    if (!(value >= min && value <= max)) faults[field] = encodeAdvice[field];
    return value;
  };
  const [width = 0, height = 0] = draft.size.split('x').map(Number);
  const settings: EncodeSettings = {
    width,
    height,
    fps: read('fps', encodeBounds.fps),
    videoBitrateBps: read('videoBitrate', encodeBounds.videoBitrateBps, 1000),
    keyframeSeconds: Number(draft.keyframeSeconds),
    audioBitrateBps: read('audioBitrate', encodeBounds.audioBitrateBps, 1000),
  };
  return Object.keys(faults).length > 0 ? { faults } : { choice: { kind, settings } };
}

function choosePreset(name: EncodePreset): EncodeDraft {
  return fillIn(name, encodePresets[name]);
}

function fillIn(kind: EncodeDraft['kind'], settings: EncodeSettings): EncodeDraft {
  const { width, height, fps, keyframeSeconds, videoBitrateBps, audioBitrateBps } = settings;
  return {
    kind,
    size: `${width}x${height}`,
    fps: String(fps),
    keyframeSeconds: String(keyframeSeconds),
    videoBitrate: String(Math.round(videoBitrateBps / 1000)),
    audioBitrate: String(Math.round(audioBitrateBps / 1000)),
  };
}
