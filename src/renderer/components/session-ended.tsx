/** Explains that the service no longer knows this browser, and how to open the screens again. */
export function SessionEnded() {
  return (
    <>
      <strong>This page's session has ended.</strong> <span>{howToComeBack}</span>
    </>
  );
}

/** How to get back in; the page retries automatically. */
export const howToComeBack =
  "Open the last address that Tallylight printed. If you can't find it, get another with: npm run --silent tallylight -- address";
