/** The WebSocket subprotocol of the contract (RFC 6455 §1.9). */
export const contractProtocol = 'tallylight';

/** Prefix of the page's secret in the second subprotocol it offers. */
export const secretProtocol = 'session.';

/** The key of the page's secret in its origin's storage, for all tabs; other ports of this computer are other origins. */
export const secretKey = 'tallylight.session';

/** Where the page asks whether its session is still valid: 204, or 403. */
export const sessionPath = '/session';

/** The path where the page asks which build of it the service belongs to: the answer names the scripts of that build. */
export const buildPath = '/build';
