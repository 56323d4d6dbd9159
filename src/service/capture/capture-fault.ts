import type { CaptureFault } from '../../shared/model/capture.ts';
import type { FfmpegEnd } from '../media-tools/ffmpeg-process.ts';

type Code = Exclude<CaptureFault['code'], 'failed' | 'ffmpeg-lacks' | 'not-started'>;

/** The meanings of ffmpeg's last lines for a file; the first match wins. Since 7.1 it names a missing track only in a later line. */
const fileMeanings: readonly [RegExp, Code][] = [
  [/Stream map '(0:v:0' matches no streams|' matches no streams[\s\S]*Failed to set value '0:v:0')/, 'no-video'],
  [/Stream map '(0:a:0' matches no streams|' matches no streams[\s\S]*Failed to set value '0:a:0')/, 'no-sound'],
  [/No such file or directory/, 'file-gone'],
  [/Permission denied/, 'file-forbidden'],
  [/Is a directory/, 'file-is-folder'],
  [/Invalid data found when processing input|moov atom not found|could not find codec parameters/i, 'file-unreadable'],
];

/** The meanings of ffmpeg's last lines for a device, on any system: the texts are ffmpeg's own or the system's. */
const deviceMeanings: readonly [RegExp, Code][] = [
  [
    /Unknown input format|Unrecognized option|No such filter|Selected output not supported|Selected framerate .+ is not supported/,
    'unsupported',
  ],
  // X11's BadMatch of a window without pixels, and BadWindow and BadDrawable; ffmpeg then says “Permission denied”.
  [/error_code:8\b/, 'hidden'],
  [/error_code:(3|9)\b/, 'gone'],
  // libavdevice/avfoundation.m gives no reason, only macOS' own message (“Cannot use FaceTime HD Camera”), and ends with an I/O error.
  [/Permission denied|not authori[sz]ed|access denied|E_ACCESSDENIED|Failed to create AV capture input device/i, 'refused'],
  // DirectShow's words for a device that is in use, and for one that the privacy settings of Windows block.
  [/Could not run graph/i, 'withheld'],
  [/Device or resource busy|already in use|is in use|Too many open duplication sessions/i, 'in-use'],
  [
    /No such (file or directory|device|entity|process)|not found|Could not find (video|audio)|Can't find window|Cannot open display|Failed to enumerate DXGI output|Connection refused|Input\/output error/i,
    'gone',
  ],
  // A display or a sound server that ends while it is captured: x11grab's words, those of ffmpeg 6 on, and PulseAudio's only line before.
  [
    /Failed to (query xcb pointer|get xcb geometry)|Error during demuxing: Generic error|^(?!\[|Error )[^\n]*: Generic error in an external library$/,
    'gone',
  ],
];

/** What an ffmpeg that ended leaves to explain it. */
type SaidEnd = Pick<FfmpegEnd, 'shortage'> & { stderr: readonly string[] };

/** Why an ffmpeg that read a file ended. */
export function explainFileEnd(end: SaidEnd): CaptureFault {
  return explain(end, fileMeanings);
}

/**
 * ffmpeg's messages when it couldn't read on, though its exit code is 0: first its demuxers of MP4 and Matroska, then ffmpeg itself up to
 * version 5 and from 6 on. Errors about damaged pictures and sounds don't count, since ffmpeg skips those and plays the rest.
 */
const cutShort = /: partial file$|File ended prematurely|^file:.+: |Error during demuxing/m;

/** Whether an ffmpeg that had output read only part of its file. */
export function isCutShort({ exitCode, stderr }: FfmpegEnd): boolean {
  return exitCode !== 0 || cutShort.test(stderr.join('\n'));
}

/** Whether ffmpeg couldn't copy a track without parameters (libavformat/mux.c): the file announces the track, but has no media of it. */
export function isOtherTrackEmpty(stderr: readonly string[]): boolean {
  return stderr.some((line) => /sample rate not set|dimensions not set/.test(line));
}

/** Why an ffmpeg that read a device ended. */
export function explainDeviceEnd(end: SaidEnd): CaptureFault {
  return explain(end, deviceMeanings);
}

function explain({ stderr, shortage }: SaidEnd, meanings: readonly [RegExp, Code][]): CaptureFault {
  if (shortage !== undefined) return { code: 'not-started', shortage };
  const text = stderr.join('\n');
  const meaning = meanings.find(([pattern]) => pattern.test(text));
  return meaning ? { code: meaning[1] } : { code: 'failed', detail: stderr.at(-1) ?? '' };
}
