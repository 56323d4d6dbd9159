import type { FlvTag } from '../../src/service/flv/flv-tag.ts';

/** When a publisher sends a tag, by its timestamps, if audio is late by this much, or early if negative. */
export function sentAtMs({ kind, timestampMs }: FlvTag, audioLateMs: number): number {
  return timestampMs + (kind === 'audio' ? audioLateMs : 0);
}

/** Tags in the order in which such a publisher sends them. */
export function sendAudioLate(tags: readonly FlvTag[], audioLateMs: number): FlvTag[] {
  return tags.toSorted((one, other) => sentAtMs(one, audioLateMs) - sentAtMs(other, audioLateMs));
}
