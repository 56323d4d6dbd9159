import type { EncodeQuality, Source } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';

/** What one click can broadcast: every kind of the contract's {@link Source}, so a new kind must be added here to compile. */
export const sourceNames: Readonly<Record<Source['kind'], { label: string; note: string }>> = {
  'test-picture': { label: 'Test picture', note: 'Pattern, clock, tone' },
  file: { label: 'File', note: 'Looped, in real time' },
};

/** The frame size and rate of each quality. */
export const qualityNames: Readonly<Record<EncodeQuality, { label: string; note: string }>> = {
  '720p30': { label: '720p30', note: '3\u202f000 kbit/s' },
  '1080p30': { label: '1080p30', note: '4\u202f500 kbit/s' },
  '1080p60': { label: '1080p60', note: '6\u202f000 kbit/s' },
};

/** A one-click source, or an external encoder. */
export type SourceKind = Source['kind'] | 'encoder';

/** Every card of the choice. */
export const sourceCards: Readonly<Record<SourceKind, { label: string; note: string }>> = {
  ...sourceNames,
  encoder: { label: 'From OBS or another program', note: 'In three steps' },
};

/** The choice to go live with; a file's path may still be empty. */
export interface Choice {
  kind: SourceKind;
  path: string;
  quality: EncodeQuality;
}

/** Studio's initial choice: the current source, else the test picture, or an encoder if one click can't work. */
export function initialChoice({ stream, oneClick }: Pick<StreamLive, 'stream' | 'oneClick'>, hasFfmpeg: boolean): Choice {
  const source = 'source' in oneClick ? oneClick.source : undefined;
  const isEncoder = source === undefined && (stream.air.kind !== 'off-air' || !hasFfmpeg);
  return {
    kind: isEncoder ? 'encoder' : (source?.kind ?? 'test-picture'),
    path: source?.kind === 'file' ? source.path : '',
    quality: 'quality' in oneClick ? oneClick.quality : '720p30',
  };
}

/** The choice as a contract source; undefined for an encoder, or without a file path. */
export function toSource(choice: Choice): Source | undefined {
  if (choice.kind === 'test-picture') return { kind: 'test-picture' };
  if (choice.kind === 'encoder') return undefined;
  const path = choice.path.trim();
  return path === '' ? undefined : { kind: 'file', path };
}

/** The last part of a path, on any system. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}
