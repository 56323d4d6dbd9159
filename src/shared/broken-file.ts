import type { AwayPart } from './model/capture.ts';

/** Faults of files that only another file fixes. Devices are waited for. */
const brokenFileFaults = ['no-video', 'file-gone', 'file-forbidden', 'file-is-folder', 'file-unreadable'] as const;
export type BrokenFileFault = (typeof brokenFileFaults)[number];

/** The fault of a picture's file that keeps its source from going live. */
export function findBrokenFile({ part, fault }: AwayPart): BrokenFileFault | undefined {
  return part === 'picture' ? brokenFileFaults.find((code) => code === fault.code) : undefined;
}
