import type { AwayPart } from './model/capture.ts';
import type { OneClickFailure } from './model/one-click-failure.ts';

/** Faults of files that only another file fixes. Devices are waited for. */
const brokenFileFaults = ['no-video', 'file-gone', 'file-forbidden', 'file-is-folder', 'file-unreadable'] as const;
export type BrokenFileFault = (typeof brokenFileFaults)[number];

/** The fault of a picture's file that keeps its source from going live. */
export function findBrokenFile({ part, fault }: AwayPart): BrokenFileFault | undefined {
  return part === 'picture' ? brokenFileFaults.find((code) => code === fault.code) : undefined;
}

/** Whether a broadcast failed because of a file of its picture. */
export function isOfBrokenFile({ code }: OneClickFailure): boolean {
  return code === 'no-video-track' || brokenFileFaults.some((fault) => fault === code);
}
