/** This page among all that are open, for as long as it is; no secret. `crypto.randomUUID` is missing on plain HTTP. */
export const pageId: string = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('-');
