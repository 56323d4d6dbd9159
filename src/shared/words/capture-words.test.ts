import { expect, test } from 'vitest';
import type { AwayPart, CaptureFault } from '../model/capture.ts';
import { describeAwayPart, describeLacking, describeRefusedScreens } from './capture-words.ts';

const microphone = { part: 'sound', input: 0, kind: 'microphone', name: 'Røde' } as const;
const camera = { part: 'picture', kind: 'camera', name: 'Webcam' } as const;
const shared = { part: 'picture', kind: 'page', name: 'Screen 1' } as const;
const files = { part: 'picture', kind: 'files', name: '/home/me/show.mp4' } as const;

const cases: Readonly<Record<CaptureFault['code'], readonly AwayPart[]>> = {
  gone: [
    { ...microphone, fault: { code: 'gone' } },
    { part: 'picture', kind: 'window', name: 'Slides', fault: { code: 'gone' } },
  ],
  hidden: [{ part: 'picture', kind: 'window', name: 'Slides', fault: { code: 'hidden' } }],
  'in-use': [{ ...camera, fault: { code: 'in-use' } }],
  withheld: [{ ...camera, fault: { code: 'withheld' } }],
  'not-opened': [{ ...shared, fault: { code: 'not-opened' } }],
  refused: [
    { ...camera, part: 'inset', fault: { code: 'refused' } },
    { part: 'picture', kind: 'screen', name: 'Capture screen 0', fault: { code: 'refused' } },
    { ...shared, fault: { code: 'refused' } },
  ],
  muted: [
    { ...microphone, fault: { code: 'muted' } },
    { ...shared, fault: { code: 'muted' } },
  ],
  'share-ended': [{ ...shared, fault: { code: 'share-ended' } }],
  asking: [{ ...shared, fault: { code: 'asking' } }],
  'page-closed': [{ ...shared, fault: { code: 'page-closed' } }],
  reopening: [{ ...shared, part: 'inset', fault: { code: 'reopening' } }],
  crashing: [{ ...shared, fault: { code: 'crashing' } }],
  'not-loaded': [{ ...shared, fault: { code: 'not-loaded' } }],
  'file-gone': [{ ...files, fault: { code: 'file-gone' } }],
  'file-forbidden': [{ ...files, fault: { code: 'file-forbidden' } }],
  'file-is-folder': [{ ...files, fault: { code: 'file-is-folder' } }],
  'file-unreadable': [{ ...files, fault: { code: 'file-unreadable' } }],
  'no-video': [{ ...files, fault: { code: 'no-video' } }],
  'no-sound': [
    { ...files, part: 'sound', fault: { code: 'no-sound' } },
    { ...shared, part: 'sound', fault: { code: 'no-sound' } },
  ],
  'starts-late': [{ ...files, fault: { code: 'starts-late' } }],
  'track-ended': [
    { ...files, fault: { code: 'track-ended' } },
    { ...files, part: 'sound', fault: { code: 'track-ended' } },
  ],
  'cut-short': [
    { ...files, fault: { code: 'cut-short' } },
    { ...files, part: 'sound', fault: { code: 'cut-short' } },
  ],
  'too-slow': [
    { ...files, fault: { code: 'too-slow' } },
    { ...files, part: 'sound', fault: { code: 'too-slow' } },
  ],
  ended: [{ ...files, fault: { code: 'ended' } }],
  'ended-early': [{ ...files, fault: { code: 'ended-early' } }],
  unsupported: [
    { ...camera, fault: { code: 'unsupported' } },
    { ...shared, fault: { code: 'unsupported' } },
  ],
  'ffmpeg-lacks': [
    {
      part: 'picture',
      kind: 'screen',
      name: 'Screen 1',
      fault: { code: 'ffmpeg-lacks', installCommand: 'sudo apt install ffmpeg' },
    },
    { ...microphone, fault: { code: 'ffmpeg-lacks' } },
  ],
  stuck: [
    { ...camera, fault: { code: 'stuck' } },
    { ...files, fault: { code: 'stuck' } },
    { ...shared, fault: { code: 'stuck' } },
    { part: 'picture', kind: 'window', name: 'Slides', fault: { code: 'stuck' } },
    { part: 'picture', kind: 'test-picture', name: '', fault: { code: 'stuck' } },
  ],
  'off-clock': [{ ...microphone, fault: { code: 'off-clock' } }],
  'not-started': [{ ...camera, fault: { code: 'not-started', shortage: 'memory' } }],
  failed: [
    { part: 'picture', kind: 'test-picture', name: '', fault: { code: 'failed', detail: '' } },
    { ...camera, fault: { code: 'failed', detail: 'VIDIOC_STREAMON: No space left' } },
    { ...shared, fault: { code: 'failed', detail: 'InvalidStateError' } },
  ],
};

test('what is away, in words', () => {
  const said = Object.values(cases)
    .flat()
    .map((away) => {
      const { title, sentence } = describeAwayPart(away, { isOnAir: true });
      return `${title}. ${sentence}`;
    });
  expect(said).toMatchInlineSnapshot(`
    [
      "“Røde” isn't connected. Viewers don't hear it. Reconnect it, and Tallylight picks it up automatically.",
      "“Slides” was closed. Viewers see black. Open it again and choose it, or choose another source.",
      "“Slides” is minimised or off the screen. Viewers see black. Restore the window and move all of it onto the screen, and Tallylight picks it up automatically.",
      "“Webcam” is in use. Viewers see black. Close the other program that uses it, and Tallylight picks it up automatically.",
      "“Webcam” is in use or not allowed. Viewers see black. Close the other program that uses it. If none does, allow Tallylight, or the terminal that started it, to use it in the system's privacy settings. It's then picked up automatically.",
      "“Screen 1” couldn't be opened. Viewers see black. Share it again, or choose another source.",
      "“Webcam” isn't allowed. Viewers don't see it. Allow Tallylight, or the terminal that started it, to use it in the system's privacy settings, and it's picked up automatically.",
      "“Capture screen 0” isn't allowed. Viewers see black. Allow Tallylight, or the terminal that started it, to use it in the system's privacy settings. If it isn't picked up automatically, start Tallylight again.",
      "“Screen 1” isn't allowed. Viewers see black. Allow it in the prompt or in the system's privacy settings, and share it again.",
      "“Røde” is muted at the device. Viewers don't hear it. Unmute it with its own switch or in the system's sound settings.",
      "The system is blocking “Screen 1”. Viewers see black. Uncover it or unlock the computer.",
      "“Screen 1” isn't shared any more. Viewers see black. Share it again, or choose another source.",
      "“Screen 1” is waiting for your answer. Viewers see black. Choose what to share, or allow it, in the prompt.",
      "The capture tab with “Screen 1” is closed. Viewers see black. Open it again in the same browser.",
      "“Screen 1” is being opened again. Viewers don't see it. This takes a few seconds.",
      "Capturing “Screen 1” keeps crashing. Viewers see black. Tallylight tries again every minute. If that doesn't help, update your graphics driver. The log has details.",
      "“Screen 1” couldn't be opened. Viewers see black. Tallylight can't load its own window that captures it, and tries again every minute. If that doesn't help, quit Tallylight and start it again.",
      "“show.mp4” can't be found. Viewers see black. The file may have been moved or deleted. Choose it again.",
      "“show.mp4” can't be read. Viewers see black. Tallylight isn't allowed to read the file. Check its permissions.",
      "“show.mp4” is a folder. Viewers see black. Choose a file in it.",
      "“show.mp4” can't be played. Viewers see black. The file may be damaged, or it isn't a media file. Choose another.",
      "“show.mp4” has no picture. Viewers see black. Choose a file with video, or another picture for the sound.",
      "“show.mp4” has no sound. Viewers don't hear it. Choose a file with sound, or add another sound, if viewers should hear something.",
      "“Screen 1” has no sound. Viewers don't hear it. Share it again and tick the box for sound, or add another sound.",
      "“show.mp4” ends before its start time. Viewers see black. Set an earlier start, or choose another file.",
      "The picture of “show.mp4” has ended. Viewers see its last picture until the file ends.",
      "The sound of “show.mp4” has ended. Viewers hear nothing from it until the file ends.",
      "“show.mp4” couldn't be read to its end. Viewers get it only up to there. The file may be damaged, or its drive was disconnected. Choose another.",
      "“show.mp4” couldn't be read to its end. Viewers get it only up to there. The file may be damaged, or its drive was disconnected. Choose another.",
      "“show.mp4” can't be played in real time. Viewers see its picture only now and then. Its drive or network is too slow, or this computer is too busy to decode it. Copy it to a faster drive, or choose a file with a smaller picture or bitrate.",
      "“show.mp4” can't be played in real time. Viewers don't hear it. Its drive or network is too slow, or this computer is too busy to decode it. Copy it to a faster drive, or choose a file with a smaller picture or bitrate.",
      "The files have ended. Viewers see black. Choose them again, choose another source, or stop.",
      "“show.mp4” couldn't be read to its end. Viewers see black. The file may be damaged, or its drive was disconnected. Choose another.",
      "“Webcam” can't be captured. Viewers see black. This system or this ffmpeg doesn't offer it. Choose another source.",
      "“Screen 1” can't be captured. Viewers see black. Its browser can't capture here. Use one built on Chromium, and open Tallylight's https:// address in it.",
      "“Screen 1” can't be captured. Viewers see black. The ffmpeg that Tallylight uses can't open it. Run "sudo apt install ffmpeg" to install your system's own. Then start Tallylight again.",
      "“Røde” can't be captured. Viewers don't hear it. The ffmpeg that Tallylight uses can't open it. Install your system's own ffmpeg with its package manager. Then start Tallylight again.",
      "“Webcam” sends nothing. Viewers see black. Tallylight keeps reopening it. If that doesn't help, unplug it and plug it in again.",
      "“show.mp4” sends nothing. Viewers see black. Its drive or the network may not answer. Tallylight waits for it. You can choose another file.",
      "“Screen 1” sends nothing. Viewers see black. Tallylight keeps trying. If that doesn't help, share it again.",
      "“Slides” sends nothing. Viewers see black. Tallylight keeps reopening it. If that doesn't help, choose another source.",
      "The test picture sends nothing. Viewers see black. Tallylight keeps reopening it. If that doesn't help, choose another source.",
      "The clock of “Røde” is off. Its sound stays with the picture, but viewers hear small gaps or jumps. Its clock drifts faster than Tallylight can correct inaudibly. Set the device to 48 kHz in the system's sound settings, or use another.",
      "“Webcam” failed. Viewers see black. Tallylight keeps trying. ffmpeg failed to start: the computer has no memory left, so close other programs.",
      "The test picture failed. Viewers see black. Tallylight keeps trying.",
      "“Webcam” failed. Viewers see black. Tallylight keeps trying. ffmpeg says: VIDIOC_STREAMON: No space left",
      "“Screen 1” failed. Viewers see black. Share it again. The browser says: InvalidStateError",
    ]
  `);
});

test('a name that turns text around turns only itself', () => {
  const away: AwayPart = { ...microphone, name: 'מיקרופון (Realtek)', fault: { code: 'off-clock' } };
  const { title } = describeAwayPart(away, { isOnAir: true });
  expect(title).toBe('The clock of “\u2068מיקרופון (Realtek)\u2069” is off');
});

test('a file is called by its name without its folders, and a device by all of its name', () => {
  const still = { part: 'picture', kind: 'still', name: '/home/me/pause.png', fault: { code: 'file-gone' } } as const;
  const titles = [
    { ...files, fault: { code: 'stuck' } } as const,
    still,
    { ...still, kind: 'files', name: '' } as const,
    { ...camera, name: 'HD Pro / Rear', fault: { code: 'stuck' } } as const,
    { ...camera, name: '', fault: { code: 'stuck' } } as const,
  ].map((away) => describeAwayPart(away, { isOnAir: true }).title);
  expect(titles).toEqual([
    '“show.mp4” sends nothing',
    "“pause.png” can't be found",
    "The file can't be found",
    '“HD Pro / Rear” sends nothing',
    'The source sends nothing',
  ]);
});

test('in a preview, viewers would get it', () => {
  const parts = [camera, { ...camera, part: 'inset' as const }, microphone].map((part) => ({
    ...part,
    fault: { code: 'gone' as const },
  }));
  const ended = { ...files, fault: { code: 'track-ended' as const } };
  const soundEnded = { ...ended, part: 'sound' as const };
  const cut = { ...files, fault: { code: 'cut-short' as const } };
  const said = [...parts, ended, soundEnded, cut, { ...microphone, fault: { code: 'off-clock' as const } }].map((away) =>
    describeAwayPart(away, { isOnAir: false }).sentence?.replace(/\. .*/, '.'),
  );
  expect(said).toEqual([
    'Viewers would see black.',
    "Viewers wouldn't see it.",
    "Viewers wouldn't hear it.",
    'Viewers would see its last picture until the file ends.',
    'Viewers would hear nothing from it until the file ends.',
    'Viewers would get it only up to there.',
    'Its sound stays with the picture, but viewers would hear small gaps or jumps.',
  ]);
});

test("what can't be captured before another ffmpeg is installed", () => {
  const lacking = { kinds: ['screen', 'window', 'microphone', 'system'] as const, installCommand: 'sudo apt install ffmpeg' };
  const said = [
    describeLacking(['screen'], { ...lacking, kinds: [...lacking.kinds] }),
    describeLacking(['microphone', 'system'], { kinds: [...lacking.kinds] }),
    describeLacking(['camera'], { kinds: [...lacking.kinds] }),
    describeLacking(['camera'], undefined),
  ];
  expect(said).toEqual([
    'The ffmpeg that Tallylight uses can\'t capture screens. Run "sudo apt install ffmpeg" to install your system\'s own. Then start Tallylight again.',
    "The ffmpeg that Tallylight uses can't capture microphones or what the computer plays. Install your system's own ffmpeg with its package manager. Then start Tallylight again.",
    undefined,
    undefined,
  ]);
});

test('how to allow screens and windows that the system refuses', () => {
  expect(describeRefusedScreens()).toBe(
    "Screen recording isn't allowed. Allow Tallylight, or the terminal that started it, to use it in the system's privacy settings. If it isn't picked up automatically, start Tallylight again.",
  );
});
