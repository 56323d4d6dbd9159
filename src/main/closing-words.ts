/**
 * What the user is asked before the app closes; undefined where nothing is on air, and nothing is asked.
 *
 * @param onAirNames names of the streams on air, undefined while that is not known
 */
export function describeClosing(onAirNames: readonly string[] | undefined): { message: string; detail: string } | undefined {
  if (onAirNames === undefined) {
    return {
      message: 'You may be on air.',
      detail: 'Tallylight cannot tell which streams are on air at the moment. Closing it ends them for everyone watching.',
    };
  }
  if (onAirNames.length === 0) return undefined;
  return {
    message: 'You are on air.',
    detail: `${onAirNames.join(', ')}: closing Tallylight ends the stream for everyone watching.`,
  };
}
