/** The WebSocket subprotocol of the contract (RFC 6455 §1.9). */
export const contractProtocol = 'tallylight';

/** Prefix of the page's secret in the second subprotocol it offers. */
export const secretProtocol = 'session.';

/** Prefix of the page's secret in the fragment of the URL that first opens the page. Servers never see fragments. */
export const secretFragment = '#session=';

/** Where the page asks whether its session is still valid: 204, or 403. */
export const sessionPath = '/session';
