import { readdir, readFile } from 'node:fs/promises';
import { parseStat, type RunningProcess } from '../../src/tools/processes.ts';

export interface FoundProcess extends RunningProcess {
  /** The words of its command line. */
  words: string[];
}

/** All running processes of this computer, read from `/proc` (proc(5)); those that have exited are left out. */
export async function findProcesses(): Promise<FoundProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const running = parseStat(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return running === undefined ? [] : [{ ...running, words: commandLine.split('\0') }];
    }),
  );
  return found.flat();
}

/** The only process of this list. @throws when there is none, or more than one. */
export function theOnly(found: readonly FoundProcess[], what = 'ffmpeg'): FoundProcess {
  const [one, ...others] = found;
  if (one === undefined || others.length > 0) throw new Error(`Expected exactly one ${what} and found ${found.length}.`);
  return one;
}

/** Whether an ffmpeg meters audio: no other one has this filter. */
export function isMeter({ words }: Pick<FoundProcess, 'words'>): boolean {
  return words.some((word) => word.includes('ebur128='));
}

/** The ffmpegs of a process that meter audio, one for each broadcast that has any. */
export async function findMeters(parentPid: number): Promise<FoundProcess[]> {
  return (await findFfmpegs(parentPid)).filter(isMeter);
}

/** Whether an ffmpeg captures: it outputs raw media, or a file's PCM in a container with its times. */
function isCapture({ words }: Pick<FoundProcess, 'words'>): boolean {
  const isRaw = words.some((word, index) => word === '-f' && ['rawvideo', 's16le'].includes(words[index + 1] ?? ''));
  return isRaw || words.includes('pcm_s16le');
}

/** The ffmpegs of a process that capture sources, one for each picture or sound. */
export async function findCaptures(parentPid: number): Promise<FoundProcess[]> {
  return (await findFfmpegs(parentPid)).filter(isCapture);
}

/** Whether an ffmpeg encodes only audio, as one of one click's does. */
function isSoundEncoder({ words }: Pick<FoundProcess, 'words'>): boolean {
  return words.includes('aac') && !words.includes('-c:v');
}

/** The ffmpegs of a process that encode video: those of one click and of ladders, and trials of encoders. */
export async function findEncoders(parentPid: number): Promise<FoundProcess[]> {
  return (await findFfmpegs(parentPid)).filter((found) => !isMeter(found) && !isCapture(found) && !isSoundEncoder(found));
}

/** All ffmpegs that a process started. */
export async function findFfmpegs(parentPid: number): Promise<FoundProcess[]> {
  return (await findProcesses()).filter(
    (found) => found.parentPid === parentPid && found.words[0]?.includes('ffmpeg') === true,
  );
}

/** This process's only ffmpeg. */
export async function findFfmpeg(): Promise<FoundProcess> {
  return theOnly(await findFfmpegs(process.pid));
}
