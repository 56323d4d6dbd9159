/** Whether an `If-None-Match` header names this entity tag, compared weakly (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

/** Whether an `Accept-Encoding` header takes gzip (RFC 9110 §12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((coding) => {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    return (name === 'gzip' || name === 'x-gzip') && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
