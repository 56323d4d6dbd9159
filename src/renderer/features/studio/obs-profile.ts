import { cutText } from '../../../shared/cut-text.ts';

/** An OBS Studio profile for *Profile → Import*: a folder with this name and these files. */
export interface ObsProfile {
  name: string;
  files: { name: 'basic.ini' | 'service.json' | 'streamEncoder.json'; text: string }[];
}

/** The settings of a profile. */
export interface ObsProfileOptions {
  streamName: string;
  /** The ingest URL. */
  server: string;
  /** If omitted, the user pastes it. */
  streamKey?: string;
}

/** For 720p30, the default size of an OBS profile. */
const videoKilobits = 3_000;
const audioKilobits = 160;

/**
 * Formats a profile that streams to `server` with a keyframe every second and no B-frames.
 *
 * Only *Output mode: Advanced* has a keyframe interval, which OBS stores in streamEncoder.json. Files and keys are those of OBS 29.
 * Everything else, such as the video size, keeps OBS's defaults.
 */
export function formatObsProfile({ streamName, server, streamKey = '' }: ObsProfileOptions): ObsProfile {
  const name = `Tallylight ${toFileName(streamName)}`.trim();
  const basic = [
    '[General]',
    `Name=${name}`,
    '',
    '[Output]',
    'Mode=Advanced',
    '',
    '[AdvOut]',
    'Encoder=obs_x264',
    'TrackIndex=1',
    `Track1Bitrate=${audioKilobits}`,
    '',
  ];
  const service = { type: 'rtmp_custom', settings: { server, key: streamKey, use_auth: false, bwtest: false } };
  const encoder = {
    rate_control: 'CBR',
    bitrate: videoKilobits,
    keyint_sec: 1,
    preset: 'veryfast',
    x264opts: 'bframes=0',
  };
  return {
    name,
    files: [
      { name: 'basic.ini', text: basic.join('\n') },
      { name: 'service.json', text: formatJson(service) },
      { name: 'streamEncoder.json', text: formatJson(encoder) },
    ],
  };
}

/** Keeps letters and digits of any script, spaces, `_` and `-`: valid as a folder name on every system, and in an INI file. */
function toFileName(text: string): string {
  const plain = text.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ');
  return cutText(plain.replaceAll(/ +/g, ' ').trim(), 50).trim();
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
