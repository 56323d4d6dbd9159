import { sentenceOf } from '../service/lib/read-error.ts';
import { ServiceError } from '../shared/errors.ts';
import { escapeHtml } from '../shared/escape-html.ts';
import { describeError } from '../shared/words/error-words.ts';

/** Path of the page that says why the service did not start. */
export const startFailurePath = '/start-failed.html';

const styles = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 20vh auto 0; padding: 0 24px; }
h1 { font-size: 28px; line-height: 1.2; }
p { overflow-wrap: anywhere; }
`;

/** Path and text of the failure page's styles: our policy forbids inline ones. */
export const startFailureStyles = { path: '/start-failed.css', text: styles };

/** The page shown instead of the app when the service could not start: what is wrong and what to do. */
export function formatStartFailure(error: unknown, logFolder: string): string {
  const sentence = error instanceof ServiceError ? describeError(error, 'app') : `Unexpected error: ${formatFault(error)}.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tallylight could not start</title>
<link rel="stylesheet" href="${startFailureStyles.path}">
</head>
<body>
<main role="alert">
<h1>Tallylight could not start</h1>
<p>${escapeHtml(sentence)}</p>
<p>Close this window, fix the problem, and start Tallylight again. The log in ${escapeHtml(logFolder)} has details.</p>
</main>
</body>
</html>
`;
}

function formatFault(error: unknown): string {
  return sentenceOf(error).replace(/\.$/, '');
}
