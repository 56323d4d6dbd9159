import { assertNever } from '../assert-never.ts';
import type { ForEveryone, MonitorOwner, VerdictOf } from '../model/verdict.ts';
import { bitrateInObs, chooseLess, usualCodecs } from './advice-words.ts';
import { formatPercent, formatSeconds, formatTimes } from './quantities.ts';
import type { VerdictWords } from './verdict-words.ts';

type PlayVerdict = VerdictOf<'play-resumes' | 'play-failed' | 'play-stalls' | 'play-drops' | 'play-behind'>;

/** How a monitor plays what viewers get, and what to do if they have the same trouble. */
export function describePlayTrouble(verdict: PlayVerdict): VerdictWords {
  switch (verdict.code) {
    case 'play-resumes':
      return { title: 'Your monitor is catching up', sentence: 'Media is arriving. The picture will follow in a moment.' };
    case 'play-failed': {
      const unseen = verdict.monitor === 'own' ? ", so you don't see what viewers see. It keeps trying" : '';
      return {
        title: `${monitorNames[verdict.monitor]} isn't playing`,
        sentence: `It can't play the stream${unseen}. ${advise(verdict)}`,
      };
    }
    case 'play-stalls':
      return {
        title: `${monitorNames[verdict.monitor]} ${verdict.stall.kind === 'repeated' ? 'has stalled' : 'is stalling'}`,
        sentence: `${describeStall(verdict.stall)} ${advise(verdict)}`,
      };
    case 'play-drops':
      return {
        title: `${monitorNames[verdict.monitor]} is dropping frames`,
        sentence: `${formatPercent(verdict.ratio)} of the last minute's frames came too late to show, so its picture stutters. If viewers see it too, lower the frame rate or resolution. ${adviseOne(verdict.monitor)}`,
      };
    case 'play-behind': {
      // The stage says how far.
      const reload = verdict.monitor === 'own' ? ' Reload this page to catch up.' : '';
      return {
        title: `${monitorNames[verdict.monitor]} is far behind`,
        sentence: `It's showing an old part of the broadcast.${reload} ${advise(verdict)}`,
      };
    }
    default:
      return assertNever(verdict);
  }
}

const monitorNames: Readonly<Record<MonitorOwner, string>> = {
  own: 'Your monitor',
  'other-page': 'A monitor on another page',
  'any-page': 'A monitor',
};

/** The stage shows how long the picture has been frozen. */
function describeStall(stall: VerdictOf<'play-stalls'>['stall']): string {
  switch (stall.kind) {
    case 'no-picture':
      return "It hasn't received a picture.";
    case 'frozen':
      return 'Its picture is frozen.';
    case 'repeated':
      return `It stalled ${formatTimes(stall.count)} in the last minute, ${formatSeconds(stall.seconds)} in total.`;
    default:
      return assertNever(stall);
  }
}

function advise({ monitor, forEveryone }: { monitor: MonitorOwner; forEveryone: ForEveryone }): string {
  return `If viewers see it too, ${adviceForEveryone[forEveryone]}. ${adviseOne(monitor)}`;
}

const adviceForEveryone: Readonly<Record<ForEveryone, string>> = {
  'lower-bitrate': `lower the bitrate ${bitrateInObs}`,
  'usual-codecs': usualCodecs,
  'smaller-picture': chooseLess,
  'check-network': "check this computer's network",
};

function adviseOne(monitor: MonitorOwner): string {
  return monitor === 'own'
    ? 'If only you see it, close other programs on this computer or choose a lower quality in the monitor.'
    : 'If only that page sees it, check its computer and network.';
}
