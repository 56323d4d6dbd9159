import { expect, test } from 'vitest';
import { parseFfmpegSources, parseMonitors, parsePulseSources, parseWindows } from './linux-devices.ts';
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
  expect(parsePulseSources('Connection failure', '')).toEqual({ microphones: [], systemSounds: [] });
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
});

test('X11: monitors, and the windows of programs without their inner ones', () => {
  const monitors = ['Monitors: 2', ' 0: +*eDP-1 1920/344x1080/193+0+0  eDP-1', ' 1: +HDMI-1 2560/600x1440/340+1920+0  HDMI-1'];
  expect(parseMonitors(monitors.join('\n'))).toEqual([
    { name: 'eDP-1, 1920 × 1080', geometry: '1920x1080+0,0' },
    { name: 'HDMI-1, 2560 × 1440', geometry: '2560x1440+1920,0' },
  ]);
  const tree = [
    'xwininfo: Window id: 0x1d3 (the root window) (has no name)',
    '  Root window id: 0x1d3 (the root window) (has no name)',
    '  Parent window id: 0x0 (none)',
    '     3 children:',
    '     0x60000a "Show: "part 1"": ("ffplay" "ffplay")  640x360+10+20  +10+20',
    '        1 child:',
    '        0x60000b "Inner": ()  320x180+0+0  +10+20',
    '     0x400003 (has no name): ()  1x1+-1+-1  +-1+-1',
    '     0x800001 (has no name): ()  800x600+0+0  +0+0',
    '        1 child:',
    '        0x800007 "Terminal": ("xterm" "XTerm")  790x580+5+20  +5+20',
  ];
  expect(parseWindows(tree.join('\n'))).toEqual([
    { id: '0x60000a', name: 'Show: "part 1"' },
    { id: '0x800007', name: 'Terminal' },
  ]);
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
});

test('Windows: one screen is offered where this ffmpeg has ddagrab', () => {
  expect(listScreens('Filter ddagrab\n  Grab Windows Desktop images using Desktop Duplication API\n')).toEqual([
    { id: 'ddagrab:0', name: 'Main screen' },
    { id: 'desktop', name: 'All screens' },
  ]);
  // What an ffmpeg without it prints goes to the log.
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
