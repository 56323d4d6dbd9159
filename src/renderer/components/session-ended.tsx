import { describeWayBack } from '../../shared/words/way-in-words.ts';

/** Explains that the service no longer knows this browser, and how to open the screens again. */
export function SessionEnded() {
  return (
    <>
      <strong>This page's session has ended.</strong> <span>{describeWayBack(window.location.origin)}</span>
    </>
  );
}
