/** The subprotocol that the contract is spoken in over a WebSocket (RFC 6455 §1.9). */
export const contractProtocol = 'tallylight';

/** What the page's secret follows in the other subprotocol that it offers. */
export const secretProtocol = 'session.';

/** What the page's secret follows in the fragment of the URL that the page is first opened with: no server sees fragments. */
export const secretFragment = '#session=';

/** Where the page asks whether the service still knows its session: 204, or 403. */
export const sessionPath = '/session';
