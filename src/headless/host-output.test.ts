import { expect, test } from 'vitest';
import type { ServiceInfo } from '../shared/model/views.ts';
import { jsonOutput, textOutput } from './host-output.ts';

const info: ServiceInfo = {
  version: '1.2.3',
  apiBaseUrl: 'http://127.0.0.1:4600/api',
  localApiBaseUrl: 'http://127.0.0.1:4600/api',
  ingestBaseUrl: 'rtmp://127.0.0.1:1935/live',
  playbackBaseUrl: 'http://127.0.0.1:4600/hls',
  localIngestBaseUrl: 'rtmp://127.0.0.1:1935/live',
  localPlaybackBaseUrl: 'http://127.0.0.1:4600/hls',
  httpPort: 4600,
  rtmpPort: 1935,
  dataFolder: '/data',
  regionCode: 'ber',
  secrets: 'os',
  ffmpeg: { kind: 'missing', reason: { code: 'not-found' } },
  regionOrigins: [],
  settingSources: {},
  notices: [],
};
const uiUrl = 'http://127.0.0.1:4600/?token=t';

function collect(open: typeof jsonOutput, of = info) {
  let text = '';
  const output = open((line) => {
    text += line;
  });
  output.ready(of, uiUrl);
  output.notice('A sentence.');
  output.renditions({
    streamId: 's1',
    streamName: 'Sunday show',
    event: { code: 'left-out', severity: 'good', names: ['720p'] },
  });
  output.uiUrl(uiUrl);
  output.failed({ code: 'INTERNAL', message: 'Why.', details: undefined });
  return text;
}

test('for programs: one JSON object per line, starting with the ready line and its four addresses', () => {
  expect(collect(jsonOutput)).toBe(
    `{"event":"ready","apiBaseUrl":"http://127.0.0.1:4600/api","ingestBaseUrl":"rtmp://127.0.0.1:1935/live","playbackBaseUrl":"http://127.0.0.1:4600/hls","uiUrl":"http://127.0.0.1:4600/?token=t"}
{"event":"notice","sentence":"A sentence."}
{"event":"renditions","streamId":"s1","streamName":"Sunday show","kind":"left-out","renditions":["720p"],"sentence":"The rendition “720p” is turned off, as you asked."}
{"event":"ui-url","uiUrl":"http://127.0.0.1:4600/?token=t"}
{"event":"failed","code":"INTERNAL","message":"Why."}
`,
  );
});

test('for programs: a fault of the secrets is also a code, for a program with words of its own', () => {
  const lines: string[] = [];
  const details = { secretsFault: { code: 'dbus-missing' } } as const;
  jsonOutput((line) => lines.push(line)).failed({ code: 'KEYCHAIN_UNAVAILABLE', message: 'Why.', details });
  expect(lines).toEqual([
    '{"event":"failed","code":"KEYCHAIN_UNAVAILABLE","message":"Why.","secretsFault":{"code":"dbus-missing"}}\n',
  ]);
});

test('for people: lines that say what to open and where to publish', () => {
  expect(collect(textOutput)).toBe(
    `Tallylight 1.2.3 is running. Press Ctrl-C to stop it.
  Open in a browser  http://127.0.0.1:4600/?token=t
  Encoders publish   rtmp://127.0.0.1:1935/live
  Players play       http://127.0.0.1:4600/hls
  Programs call      http://127.0.0.1:4600/api
A sentence.
Sunday show: The rendition “720p” is turned off, as you asked.
To open another browser: http://127.0.0.1:4600/?token=t
`,
  );
});

test('a name with control characters cannot control the terminal of whoever reads the lines', () => {
  let text = '';
  const output = textOutput((line) => {
    text += line;
  });
  const names = ['720p\u202e'];
  output.notice('“\u001b[2J\nSunday” cannot be read.');
  output.renditions({
    streamId: 's1',
    streamName: 'Sun\u001b]0;x\u0007\u009b1m',
    event: { code: 'left-out', severity: 'good', names },
  });
  expect(text).toBe(String.raw`“\u001b[2J\u000aSunday” cannot be read.
Sun\u001b]0;x\u0007\u009b1m: The rendition “720p\u202e” is turned off, as you asked.
`);
});

test('a name that is read from the right is printed as it is', () => {
  let text = '';
  const output = textOutput((line) => {
    text += line;
  });
  output.renditions({ streamId: 's1', streamName: 'Show', event: { code: 'left-out', severity: 'good', names: ['גבוה'] } });
  expect(text).toBe('Show: The rendition “גבוה” is turned off, as you asked.\n');
});

test('with a service domain, the addresses that work on this computer are listed too', () => {
  const named = {
    ...info,
    apiBaseUrl: 'https://ber-cdn.live.example.com/api',
    ingestBaseUrl: 'rtmp://ber-rtmp.live.example.com/live',
    playbackBaseUrl: 'https://ber-cdn.live.example.com/hls',
  };
  expect(collect(jsonOutput, named).split('\n')[0]).toBe(
    '{"event":"ready","apiBaseUrl":"http://127.0.0.1:4600/api","ingestBaseUrl":"rtmp://ber-rtmp.live.example.com/live","playbackBaseUrl":"https://ber-cdn.live.example.com/hls","localIngestBaseUrl":"rtmp://127.0.0.1:1935/live","localPlaybackBaseUrl":"http://127.0.0.1:4600/hls","uiUrl":"http://127.0.0.1:4600/?token=t"}',
  );
  expect(collect(textOutput, named)).toContain(`
  Encoders publish   rtmp://ber-rtmp.live.example.com/live
    on this computer rtmp://127.0.0.1:1935/live
  Players play       https://ber-cdn.live.example.com/hls
    on this computer http://127.0.0.1:4600/hls
  Programs call      https://ber-cdn.live.example.com/api
    on this computer http://127.0.0.1:4600/api
`);
});
