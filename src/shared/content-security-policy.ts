/**
 * The Content-Security-Policy of our own pages, the same in both hosts: only our own files, no inline scripts or styles, no
 * frames in or around the page (Content Security Policy Level 3).
 *
 * @param serviceOrigins origins besides the page's own that serve playlists, media and calls.
 */
export function contentSecurityPolicy(serviceOrigins: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    ['connect-src', "'self'", ...serviceOrigins].join(' '),
    // The monitor plays through Media Source Extensions, whose URL is a blob of ours.
    ['media-src', "'self'", 'blob:', ...serviceOrigins].join(' '),
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
