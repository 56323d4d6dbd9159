import { assertNever } from '../assert-never.ts';
import { findBrokenFile } from '../broken-file.ts';
import { fileName } from '../file-name.ts';
import { isolateName } from '../isolate-name.ts';
import type { AwayPart, DeviceKind, DeviceList } from '../model/capture.ts';
import { permittedProgram } from './permitted-program.ts';
import { describeUnstarted } from './shortage-words.ts';
import type { VerdictWords } from './verdict-words.ts';

/** What a part is called in a sentence: its device's name, or what it is. */
function nameOf({ kind, name }: AwayPart): string {
  if (kind === 'test-picture') return 'The test picture';
  if (name !== '') return `“${isolateName(kind === 'files' || kind === 'still' ? fileName(name) : name)}”`;
  return kind === 'files' ? 'The file' : 'The source';
}

/** What viewers get instead of the part, now or once it is on air; empty if the source can't go on air. */
function describeStandIn(away: AwayPart, isOnAir: boolean): string {
  const { part, fault } = away;
  if (!isOnAir && findBrokenFile(away)) return '';
  const [see, hear] = isOnAir ? ['see', 'hear'] : ['would see', 'would hear'];
  const not = isOnAir ? "don't" : "wouldn't";
  if (fault.code === 'track-ended') {
    return part === 'sound'
      ? `Viewers ${hear} nothing from it until the file ends.`
      : `Viewers ${see} its last picture until the file ends.`;
  }
  if (fault.code === 'cut-short') return `Viewers ${isOnAir ? 'get' : 'would get'} it only up to there.`;
  if (fault.code === 'too-slow') {
    return part === 'sound' ? `Viewers ${not} hear it.` : `Viewers ${see} its picture only now and then.`;
  }
  if (fault.code === 'off-clock') return `Its sound stays with the picture, but viewers ${hear} small gaps or jumps.`;
  if (part === 'picture') return `Viewers ${see} black.`;
  return part === 'sound' ? `Viewers ${not} hear it.` : `Viewers ${not} see it.`;
}

/**
 * A part of a source that is away, as people read it: what is wrong, what viewers get, and what to do. In a preview, `isOnAir` is false:
 * viewers don't get it yet.
 */
export function describeAwayPart(away: AwayPart, { isOnAir }: { isOnAir: boolean }): VerdictWords {
  const { title, todo } = wordsFor(away);
  return { title, sentence: [describeStandIn(away, isOnAir), todo].filter((sentence) => sentence !== '').join(' ') };
}

function describeStuck(kind: AwayPart['kind']): string {
  switch (kind) {
    case 'files':
    case 'still':
      return 'Its drive or the network may not answer. Tallylight waits for it. You can choose another file.';
    case 'page':
      return "Tallylight keeps trying. If that doesn't help, share it again.";
    case 'camera':
    case 'microphone':
      return "Tallylight keeps reopening it. If that doesn't help, unplug it and plug it in again.";
    case 'screen':
    case 'window':
    case 'system':
    case 'test-picture':
      return "Tallylight keeps reopening it. If that doesn't help, choose another source.";
    default:
      return assertNever(kind);
  }
}

/** How to get an ffmpeg that opens every kind of device. */
function describeInstall({ installCommand }: { installCommand?: string | undefined }): string {
  return installCommand === undefined
    ? "Install your system's own ffmpeg with its package manager. Then start Tallylight again."
    : `Run "${installCommand}" to install your system's own. Then start Tallylight again.`;
}

/** What a kind of device is called if there are several. */
const plurals: Readonly<Record<DeviceKind, string>> = {
  screen: 'screens',
  window: 'windows',
  camera: 'cameras',
  microphone: 'microphones',
  system: 'what the computer plays',
};

/** Says that a kind of device can't be captured without another ffmpeg; undefined if it can. */
export function describeLacking(kinds: readonly DeviceKind[], lacking: DeviceList['lacking']): string | undefined {
  const lacks = kinds.filter((kind) => lacking?.kinds.includes(kind)).map((kind) => plurals[kind]);
  if (lacking === undefined || lacks.length === 0) return undefined;
  return `The ffmpeg that Tallylight uses can't capture ${lacks.join(' or ')}. ${describeInstall(lacking)}`;
}

/** How to allow a capture that the system refuses. On macOS a program may get a screen's permission only at its next start. */
function describePermission(kind: AwayPart['kind']): string {
  const allow = `Allow ${permittedProgram} to use it in the system's privacy settings`;
  return kind === 'screen'
    ? `${allow}. If it isn't picked up automatically, start Tallylight again.`
    : `${allow}, and it's picked up automatically.`;
}

/** Says that the system refuses every screen and window, and how to allow them. */
export function describeRefusedScreens(): string {
  return `Screen recording isn't allowed. ${describePermission('screen')}`;
}

/** What is wrong, and what to do about it. */
function wordsFor(away: AwayPart): { title: string; todo: string } {
  const { fault, part } = away;
  const name = nameOf(away);
  switch (fault.code) {
    case 'gone':
      return away.kind === 'window'
        ? { title: `${name} was closed`, todo: 'Open it again and choose it, or choose another source.' }
        : { title: `${name} isn't connected`, todo: 'Reconnect it, and Tallylight picks it up automatically.' };
    case 'hidden':
      return {
        title: `${name} is minimised or off the screen`,
        todo: 'Restore the window and move all of it onto the screen, and Tallylight picks it up automatically.',
      };
    case 'in-use':
      return {
        title: `${name} is in use`,
        todo: 'Close the other program that uses it, and Tallylight picks it up automatically.',
      };
    case 'withheld':
      return {
        title: `${name} is in use or not allowed`,
        todo: `Close the other program that uses it. If none does, allow ${permittedProgram} to use it in the system's privacy settings. It's then picked up automatically.`,
      };
    case 'not-opened':
      return { title: `${name} couldn't be opened`, todo: 'Share it again, or choose another source.' };
    case 'refused':
      return {
        title: `${name} isn't allowed`,
        todo:
          away.kind === 'page'
            ? "Allow it in the prompt or in the system's privacy settings, and share it again."
            : describePermission(away.kind),
      };
    case 'muted':
      return part === 'sound'
        ? { title: `${name} is muted at the device`, todo: "Unmute it with its own switch or in the system's sound settings." }
        : { title: `The system is blocking ${name}`, todo: 'Uncover it or unlock the computer.' };
    case 'share-ended':
      return { title: `${name} isn't shared any more`, todo: 'Share it again, or choose another source.' };
    case 'asking':
      return { title: `${name} is waiting for your answer`, todo: 'Choose what to share, or allow it, in the prompt.' };
    case 'page-closed':
      return { title: `The capture tab with ${name} is closed`, todo: 'Open it again in the same browser.' };
    case 'reopening':
      return { title: `${name} is being opened again`, todo: 'This takes a few seconds.' };
    case 'crashing':
      return {
        title: `Capturing ${name} keeps crashing`,
        todo: "Tallylight tries again every minute. If that doesn't help, update your graphics driver. The log has details.",
      };
    case 'not-loaded':
      return {
        title: `${name} couldn't be opened`,
        todo: "Tallylight can't load its own window that captures it, and tries again every minute. If that doesn't help, quit Tallylight and start it again.",
      };
    case 'file-gone':
      return { title: `${name} can't be found`, todo: 'The file may have been moved or deleted. Choose it again.' };
    case 'file-forbidden':
      return { title: `${name} can't be read`, todo: "Tallylight isn't allowed to read the file. Check its permissions." };
    case 'file-is-folder':
      return { title: `${name} is a folder`, todo: 'Choose a file in it.' };
    case 'file-unreadable':
      return { title: `${name} can't be played`, todo: "The file may be damaged, or it isn't a media file. Choose another." };
    case 'no-video':
      return { title: `${name} has no picture`, todo: 'Choose a file with video, or another picture for the sound.' };
    case 'no-sound':
      return {
        title: `${name} has no sound`,
        todo:
          away.kind === 'page'
            ? 'Share it again and tick the box for sound, or add another sound.'
            : 'Choose a file with sound, or add another sound, if viewers should hear something.',
      };
    case 'starts-late':
      return { title: `${name} ends before its start time`, todo: 'Set an earlier start, or choose another file.' };
    case 'track-ended':
      return { title: `The ${part === 'sound' ? 'sound' : 'picture'} of ${name} has ended`, todo: '' };
    case 'cut-short':
    case 'ended-early':
      return {
        title: `${name} couldn't be read to its end`,
        todo: 'The file may be damaged, or its drive was disconnected. Choose another.',
      };
    case 'too-slow':
      return {
        title: `${name} can't be played in real time`,
        todo: 'Its drive or network is too slow, or this computer is too busy to decode it. Copy it to a faster drive, or choose a file with a smaller picture or bitrate.',
      };
    case 'ended':
      return { title: 'The files have ended', todo: 'Choose them again, choose another source, or stop.' };
    case 'unsupported':
      return {
        title: `${name} can't be captured`,
        todo:
          away.kind === 'page'
            ? "Its browser can't capture here. Use one built on Chromium, and open Tallylight's https:// address in it."
            : "This system or this ffmpeg doesn't offer it. Choose another source.",
      };
    case 'ffmpeg-lacks':
      return {
        title: `${name} can't be captured`,
        todo: `The ffmpeg that Tallylight uses can't open it. ${describeInstall(fault)}`,
      };
    case 'stuck':
      return {
        title: `${name} sends nothing`,
        todo: describeStuck(away.kind),
      };
    case 'off-clock':
      return {
        title: `The clock of ${name} is off`,
        todo: "Its clock drifts faster than Tallylight can correct inaudibly. Set the device to 48 kHz in the system's sound settings, or use another.",
      };
    case 'not-started':
      return { title: `${name} failed`, todo: `Tallylight keeps trying. ${describeUnstarted(fault.shortage)}` };
    case 'failed': {
      const [todo, who] = away.kind === 'page' ? ['Share it again.', 'The browser'] : ['Tallylight keeps trying.', 'ffmpeg'];
      return { title: `${name} failed`, todo: `${todo}${fault.detail === '' ? '' : ` ${who} says: ${fault.detail}`}` };
    }
    default:
      return assertNever(fault);
  }
}
