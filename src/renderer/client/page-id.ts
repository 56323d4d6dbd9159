/** Identifies this page among all open pages; not a secret. `crypto.randomUUID` is missing on plain HTTP. */
export const pageId: string = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('-');
