import type { EncodeQuality, OneClickState, Source } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { isBroadcasting } from '../../status/air-status.ts';

/** What one click can broadcast: every kind of the contract's {@link Source}, so that a new kind shows up here or does not compile. */
export const sourceNames: Readonly<Record<Source['kind'], { label: string; note: string }>> = {
  'test-picture': { label: 'Test picture', note: 'Moving pattern, clock, tone' },
  file: { label: 'File', note: 'Looped, in real time' },
};

/** What each quality encodes to. */
export const qualityNames: Readonly<Record<EncodeQuality, { label: string; note: string }>> = {
  '720p30': { label: '720p30', note: '3\u202f000 kbit/s' },
  '1080p30': { label: '1080p30', note: '4\u202f500 kbit/s' },
  '1080p60': { label: '1080p60', note: '6\u202f000 kbit/s' },
};

/** What was chosen to go live with; a file's path may still be empty. */
export interface Choice {
  kind: Source['kind'];
  path: string;
  quality: EncodeQuality;
}

/** The choice Studio opens with: what the stream goes live with already, else the test picture. */
export function initialChoice(oneClick: OneClickState): Choice {
  const source = 'source' in oneClick ? oneClick.source : undefined;
  return {
    kind: source?.kind ?? 'test-picture',
    path: source?.kind === 'file' ? source.path : '',
    quality: 'quality' in oneClick ? oneClick.quality : '720p30',
  };
}

/** The source as the contract wants it; undefined while a file is chosen but not named. */
export function toSource(choice: Choice): Source | undefined {
  if (choice.kind === 'test-picture') return { kind: 'test-picture' };
  const path = choice.path.trim();
  return path === '' ? undefined : { kind: 'file', path };
}

/** A path's last name, on any system. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}

/** Whether another program, not this app's one click, feeds what runs on the stream: then Stop asks. */
export function isFedByAnother({ stream, oneClick }: Pick<StreamLive, 'stream' | 'oneClick'>): boolean {
  return isBroadcasting(stream.air, { kind: 'idle' }) && (oneClick.kind === 'idle' || oneClick.kind === 'failed');
}
