import type { CaptureFault } from '../../shared/model/capture.ts';
import type { FfmpegEnd } from '../media-tools/ffmpeg-process.ts';

type Code = Exclude<CaptureFault['code'], 'failed' | 'ffmpeg-lacks'>;

/** What ffmpeg's last lines mean for a file; the first match wins. Since 7.1 it names the track that is missing only in a later line. */
const fileMeanings: readonly [RegExp, Code][] = [
  [/Stream map '(0:v:0' matches no streams|' matches no streams[\s\S]*Failed to set value '0:v:0')/, 'no-video'],
  [/Stream map '(0:a:0' matches no streams|' matches no streams[\s\S]*Failed to set value '0:a:0')/, 'no-sound'],
  [/No such file or directory/, 'file-gone'],
  [/Permission denied/, 'file-forbidden'],
  [/Is a directory/, 'file-is-folder'],
  [/Invalid data found when processing input|moov atom not found|could not find codec parameters/i, 'file-unreadable'],
];

/** What they mean for a device, on any system: the texts are ffmpeg's own, or its system's. */
const deviceMeanings: readonly [RegExp, Code][] = [
  [
    /Unknown input format|Unrecognized option|No such filter|Selected output not supported|Selected framerate .+ is not supported/,
    'unsupported',
  ],
  // X11's BadMatch of a window without pixels, and BadWindow and BadDrawable; ffmpeg then says “Permission denied”.
  [/error_code:8\b/, 'hidden'],
  [/error_code:(3|9)\b/, 'gone'],
  // libavdevice/avfoundation.m gives no reason, only what macOS calls it (“Cannot use FaceTime HD Camera”), and ends with an I/O error.
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

/** Why an ffmpeg that read a file ended. */
export function explainFileEnd(stderr: readonly string[]): CaptureFault {
  return explain(stderr, fileMeanings);
}

/**
 * What ffmpeg says when it couldn't read on, though its exit code is 0: first its demuxers of MP4 and Matroska, then ffmpeg itself up to
 * version 5 and from 6 on. Damaged pictures and sounds are left out and the rest plays, so they aren't meant.
 */
const cutShort = /: partial file$|File ended prematurely|^file:.+: |Error during demuxing/m;

/** Whether an ffmpeg that gave media read its file only in part. */
export function isCutShort({ exitCode, stderr }: FfmpegEnd): boolean {
  return exitCode !== 0 || cutShort.test(stderr.join('\n'));
}

/** Whether it couldn't copy a track of which it found no parameters (libavformat/mux.c): one that a file announces and doesn't have. */
export function isOtherTrackEmpty(stderr: readonly string[]): boolean {
  return stderr.some((line) => /sample rate not set|dimensions not set/.test(line));
}

/** Why an ffmpeg that read a device ended. */
export function explainDeviceEnd(stderr: readonly string[]): CaptureFault {
  return explain(stderr, deviceMeanings);
}

function explain(stderr: readonly string[], meanings: readonly [RegExp, Code][]): CaptureFault {
  const text = stderr.join('\n');
  const meaning = meanings.find(([pattern]) => pattern.test(text));
  return meaning ? { code: meaning[1] } : { code: 'failed', detail: stderr.at(-1) ?? '' };
}
