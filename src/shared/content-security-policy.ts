/**
 * The Content-Security-Policy of our own pages, the same in both hosts: everything from our own files, no inline script or
 * style, no frame in or around us (Content Security Policy Level 3).
 *
 * @param serviceOrigins origins besides the page's own that playlists, media and calls come from.
 */
export function contentSecurityPolicy(serviceOrigins: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    ['connect-src', "'self'", ...serviceOrigins].join(' '),
    // The monitor's media come through Media Source Extensions, whose URL is a blob of our own.
    ['media-src', "'self'", 'blob:', ...serviceOrigins].join(' '),
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
