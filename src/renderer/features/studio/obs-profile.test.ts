import { expect, test } from 'vitest';
import { formatObsProfile } from './obs-profile.ts';

const server = 'rtmp://127.0.0.1:1935/live';

test('a profile has the server, a keyframe every second, no B-frames, and no key unless requested', () => {
  expect(formatObsProfile({ streamName: 'Sunday show', server })).toEqual({
    name: 'Tallylight Sunday show',
    files: [
      {
        name: 'basic.ini',
        text: `[General]
Name=Tallylight Sunday show

[Output]
Mode=Advanced

[AdvOut]
Encoder=obs_x264
TrackIndex=1
Track1Bitrate=160
`,
      },
      {
        name: 'service.json',
        text: `{
  "type": "rtmp_custom",
  "settings": {
    "server": "rtmp://127.0.0.1:1935/live",
    "key": "",
    "use_auth": false,
    "bwtest": false
  }
}
`,
      },
      {
        name: 'streamEncoder.json',
        text: `{
  "rate_control": "CBR",
  "bitrate": 3000,
  "keyint_sec": 1,
  "preset": "veryfast",
  "x264opts": "bframes=0"
}
`,
      },
    ],
  });
});

test('a requested key is only in service.json', () => {
  const { files } = formatObsProfile({ streamName: 'Show', server, streamKey: 'abcd-efgh' });
  expect(files.filter(({ text }) => text.includes('abcd-efgh')).map(({ name }) => name)).toEqual(['service.json']);
});

test.each([
  ['../../etc/passwd', 'Tallylight etc passwd'],
  ['Show\n[Output]\nMode=Simple', 'Tallylight Show Output Mode Simple'],
  ['Früh: "live" / на связи', 'Tallylight Früh live на связи'],
  ['🎬🎬', 'Tallylight'],
  ['x'.repeat(200), `Tallylight ${'x'.repeat(50)}`],
])('the stream name %j gives the folder name %j', (streamName, name) => {
  const { name: folder, files } = formatObsProfile({ streamName, server });
  expect(folder).toBe(name);
  expect(files[0]?.text.split('\n').slice(0, 3)).toEqual(['[General]', `Name=${name}`, '']);
});
