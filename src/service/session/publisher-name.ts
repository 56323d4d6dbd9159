import { cutText } from '../../shared/cut-text.ts';
import { ownSoftware } from '../lib/own-software.ts';

/** How publishers call themselves, in `onMetaData` or in `connect`, and what people call them. */
const known: readonly [RegExp, (version: string) => string][] = [
  [/libobs version (\d+(?:\.\d+)*)sl/i, () => 'Streamlabs Desktop'],
  [/libobs version (\d+(?:\.\d+){0,2})/i, (version) => `OBS Studio ${version}`],
  [/Lavf(\d)/, () => 'FFmpeg'],
  [/GStreamer (\d+(?:\.\d+)*)/, (version) => `GStreamer ${version}`],
  [/(streamlabs)/i, () => 'Streamlabs Desktop'],
  [/(vMix)/i, () => 'vMix'],
  [/(Wirecast)/i, () => 'Wirecast'],
  [/(Larix)/i, () => 'Larix Broadcaster'],
  [/(XSplit)/i, () => 'XSplit'],
];
/** Many programs call themselves this because servers expect it, or a version of the Flash player: it identifies none of them. */
const anyPublisher = /^(?:FMLE\/3\.0 \(compatible; FMSc\/1\.0\)|(?:LNX|WIN|MAC) \d+(?:,\d+)*)$/;
const maxLength = 60;

/** A publisher's name for people, from what it calls itself; undefined if that identifies nothing. */
export function namePublisher(text: string | undefined): string | undefined {
  if (text === undefined || anyPublisher.test(text)) return undefined;
  if (text === ownSoftware) return 'Tallylight';
  for (const [pattern, name] of known) {
    const version = pattern.exec(text)?.[1];
    if (version !== undefined) return name(version);
  }
  const printable = text.replaceAll(/\p{C}+/gu, ' ').trim();
  return printable === '' ? undefined : cutText(printable, maxLength);
}
