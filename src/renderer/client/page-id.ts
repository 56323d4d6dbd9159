/** An id that no page has created before; not a secret. `crypto.randomUUID` is missing on plain HTTP. */
export const createId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('-');

/** Identifies this page among all open pages. */
export const pageId: string = createId();
