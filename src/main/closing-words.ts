import { isolateName } from '../shared/isolate-name.ts';

/**
 * The question before the app closes; undefined if nothing is on air.
 *
 * @param onAirNames names of the streams on air, undefined if unknown
 */
export function describeClosing(onAirNames: readonly string[] | undefined): { message: string; detail: string } | undefined {
  if (onAirNames === undefined) {
    return {
      message: 'You may be on air.',
      detail: "Tallylight can't tell which streams are on air right now. Closing it ends them for everyone watching.",
    };
  }
  if (onAirNames.length === 0) return undefined;
  return {
    message: 'You are on air.',
    detail: `${onAirNames.map(isolateName).join(', ')}: closing Tallylight ends the ${onAirNames.length === 1 ? 'broadcast' : 'broadcasts'} for everyone watching.`,
  };
}
