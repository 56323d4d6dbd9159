import { expect, test } from 'vitest';
import { findListedDevice } from '../../../shared/model/device-id.ts';
import { parseFfmpegSources, parsePulseSources } from './linux-devices.ts';
import { parseAvfoundationDevices } from './mac-devices.ts';
import { listScreens, parseDshowDevices } from './windows-devices.ts';

test('PulseAudio: microphones, what the computer plays, the default, and what is muted', () => {
  const source = (name: string, description: string, mute = false) => ({ name, description, mute, monitor_source: '' });
  const json = JSON.stringify([
    source('alsa_output.pci.monitor', 'Monitor of Speakers'),
    source('alsa_input.usb', 'Røde NT-USB', true),
    source('alsa_input.pci', 'Built-in'),
  ]);
  expect(parsePulseSources(json, 'alsa_input.pci')).toEqual({
    microphones: [
      { id: 'alsa_input.usb', name: 'Røde NT-USB', isMuted: true },
      { id: 'alsa_input.pci', name: 'Built-in', isDefault: true },
    ],
    systemSounds: [{ id: 'alsa_output.pci.monitor', name: 'Monitor of Speakers' }],
  });
  expect(parsePulseSources('[]', '')).toEqual({ microphones: [], systemSounds: [] });
  expect(parsePulseSources('Connection failure', '')).toEqual({ microphones: undefined, systemSounds: undefined });
});

test('PulseAudio: sources of the same name get numbers', () => {
  const source = (name: string, description: string) => ({ name, description, mute: false });
  const json = JSON.stringify([
    ...[source('usb-1', 'Yeti'), source('usb-2', 'Yeti'), source('pci', 'Built-in')],
    ...[source('usb-1.monitor', 'Monitor of Yeti'), source('usb-2.monitor', 'Monitor of Yeti')],
  ]);
  expect(parsePulseSources(json, '')).toEqual({
    microphones: [
      { id: 'usb-1', name: 'Yeti (1)' },
      { id: 'usb-2', name: 'Yeti (2)' },
      { id: 'pci', name: 'Built-in' },
    ],
    systemSounds: [
      { id: 'usb-1.monitor', name: 'Monitor of Yeti (1)' },
      { id: 'usb-2.monitor', name: 'Monitor of Yeti (2)' },
    ],
  });
});

test("ffmpeg's own list of PulseAudio's sources", () => {
  const text = [
    'Auto-detected sources for pulse:',
    '  speakers.monitor [Monitor of Speakers] (none)',
    '* mic [Microphone [USB]] (none)',
    '  old [Without a type]',
  ].join('\n');
  expect(parseFfmpegSources(text)).toEqual({
    microphones: [
      { id: 'mic', name: 'Microphone [USB]', isDefault: true },
      { id: 'old', name: 'Without a type' },
    ],
    systemSounds: [{ id: 'speakers.monitor', name: 'Monitor of Speakers' }],
  });
  // As ffmpeg 5.1 says it without a server; its exit code is 0.
  const failure = 'Auto-detected sources for pulse:\nCannot list sources: Generic error in an external library\n';
  expect(parseFfmpegSources(failure)).toEqual({ microphones: undefined, systemSounds: undefined });
});

test('macOS: devices whose names ffmpeg would take for others have their numbers', () => {
  const line = (name: string, index: number) => `[AVFoundation indev @ 0x7f8] [${index}] ${name}`;
  const cameras = ['4K Camera', 'Cam Link', 'Cam Link 4K', 'none of these', 'Studio: left', 'Twin', 'Twin'];
  const microphones = ['-2 dB', 'default mic', 'Mic 2'];
  const text = [
    '[AVFoundation indev @ 0x7f8] AVFoundation video devices:',
    ...cameras.map(line),
    '[AVFoundation indev @ 0x7f8] AVFoundation audio devices:',
    ...microphones.map(line),
  ].join('\n');
  const found = parseAvfoundationDevices(text);
  expect(found.cameras?.map(({ name, index }) => [name, index])).toEqual([
    ['4K Camera', 0],
    ['Cam Link', 1],
    ['Cam Link 4K', undefined],
    ['none of these', 3],
    ['Studio: left', 4],
    ['Twin (1)', 5],
    ['Twin (2)', 6],
  ]);
  expect(found.microphones?.map(({ name, index }) => [name, index])).toEqual([
    ['-2 dB', 0],
    ['default mic', 1],
    ['Mic 2', undefined],
  ]);
});

test('macOS: devices of the same name get numbers, and the first keeps the id that it has alone', () => {
  const list = (...names: string[]) => {
    const lines = [
      'AVFoundation video devices:',
      'AVFoundation audio devices:',
      ...names.map((name, index) => `[${index}] ${name}`),
    ];
    return parseAvfoundationDevices(lines.map((line) => `[AVFoundation indev @ 0x7f8] ${line}`).join('\n')).microphones ?? [];
  };
  const [alone] = list('USB Audio');
  const microphones = list('Built-in', 'USB Audio', 'USB Audio', 'Line', 'USB Audio');
  expect(microphones.map(({ name, index }) => [name, index])).toEqual([
    ['Built-in', undefined],
    ['USB Audio (1)', 1],
    ['USB Audio (2)', 2],
    ['Line', undefined],
    ['USB Audio (3)', 4],
  ]);
  expect(new Set(microphones.map(({ id }) => id)).size).toBe(5);
  expect(microphones.map((chosen) => findListedDevice('microphone', microphones, chosen)?.index)).toEqual([
    ...[undefined, 1, 2, undefined, 4],
  ]);
  expect(alone && findListedDevice('microphone', microphones, alone)?.index).toBe(1);
});

test('macOS: screens are among the videos', () => {
  const text = [
    '[AVFoundation indev @ 0x7f8] AVFoundation video devices:',
    '[AVFoundation indev @ 0x7f8] [0] FaceTime HD Camera',
    '[AVFoundation indev @ 0x7f8] [1] Capture screen 0',
    '[AVFoundation indev @ 0x7f8] AVFoundation audio devices:',
    '[AVFoundation indev @ 0x7f8] [0] MacBook Pro Microphone',
    ': Input/output error',
  ];
  expect(parseAvfoundationDevices(text.join('\n'))).toEqual({
    cameras: [{ id: 'FaceTime HD Camera', name: 'FaceTime HD Camera' }],
    screens: [{ id: 'Capture screen 0', name: 'Capture screen 0' }],
    microphones: [{ id: 'MacBook Pro Microphone', name: 'MacBook Pro Microphone' }],
  });
  // The output of an ffmpeg that crashed, or that lacks `avfoundation`.
  for (const other of [text.slice(0, 3).join('\n'), "Unknown input format: 'avfoundation'"]) {
    expect(parseAvfoundationDevices(other)).toEqual({ screens: undefined, cameras: undefined, microphones: undefined });
  }
});

test('Windows: one screen is offered where this ffmpeg has ddagrab', () => {
  expect(listScreens('Filter ddagrab\n  Grab Windows Desktop images using Desktop Duplication API\n')).toEqual([
    { id: 'ddagrab:0', name: 'Main screen' },
    { id: 'desktop', name: 'All screens' },
  ]);
  // An ffmpeg without `ddagrab` prints only to its log.
  expect(listScreens('')).toEqual([{ id: 'desktop', name: 'Whole screen' }]);
});

const unique = String.raw`@device_pnp_\\?\usb#vid_046d`;

test.each([
  [
    'since ffmpeg 5',
    ['"Integrated Camera" (video)', `  Alternative name "${unique}"`, '"Mikrofon (Realtek)" (audio)', '"Virtual" (none)'],
  ],
  [
    'before ffmpeg 5',
    [
      ...['DirectShow video devices (some may be both video and audio devices)', ' "Integrated Camera"'],
      ...[`    Alternative name "${unique}"`, 'DirectShow audio devices', ' "Mikrofon (Realtek)"'],
    ],
  ],
])('Windows, %s: a device is known by its unique name and shown by the other', (_when, lines) => {
  const text = lines.map((line) => `[dshow @ 000001] ${line}`).join('\r\n');
  expect(parseDshowDevices(text)).toEqual({
    cameras: [{ id: unique, name: 'Integrated Camera' }],
    microphones: [{ id: 'Mikrofon (Realtek)', name: 'Mikrofon (Realtek)' }],
  });
});

test.each(['audio, video', 'video, audio'])(
  'Windows: a capture card that has both (%s) is a camera and a microphone',
  (types) => {
    const lines = [`"Capture card" (${types})`, `  Alternative name "${unique}"`];
    const card = [{ id: unique, name: 'Capture card' }];
    const text = lines.map((line) => `[dshow @ 000001] ${line}`).join('\r\n');
    expect(parseDshowDevices(text)).toEqual({ cameras: card, microphones: card });
  },
);

test('Windows: devices of the same name get numbers', () => {
  const lines = ['1', '2'].flatMap((which) => ['"USB Camera" (video)', `  Alternative name "${unique}-${which}"`]);
  expect(parseDshowDevices(lines.map((line) => `[dshow @ 000001] ${line}`).join('\r\n')).cameras).toEqual([
    { id: `${unique}-1`, name: 'USB Camera (1)' },
    { id: `${unique}-2`, name: 'USB Camera (2)' },
  ]);
});

test('Windows: without devices DirectShow says so; what an ffmpeg without DirectShow prints says nothing about devices', () => {
  const none = ['video', 'audio'].map((type) => `[in#0 @ 000001] Could not enumerate ${type} devices (or none found).`);
  expect(parseDshowDevices(none.join('\r\n'))).toEqual({ cameras: [], microphones: [] });
  expect(parseDshowDevices("[in#0 @ 000001] Unknown input format: 'dshow'")).toEqual({
    cameras: undefined,
    microphones: undefined,
  });
});
