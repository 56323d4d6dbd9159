import type { Shortage } from '../model/shortage.ts';

const shortages: Readonly<Record<Shortage, string>> = {
  processes:
    "the system allows no more processes, so close other programs or raise the limit of Tallylight's user or container",
  'own-files': 'Tallylight may open no more files, so raise its limit (ulimit -n)',
  files: 'the computer can open no more files, so close other programs',
  memory: 'the computer has no memory left, so close other programs',
};

/** Says that ffmpeg couldn't be started, and why and what to do where that is known. */
export function describeUnstarted(shortage?: Shortage): string {
  return shortage === undefined ? 'ffmpeg failed to start.' : `ffmpeg failed to start: ${shortages[shortage]}.`;
}
