import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Lets pages of any origin read an answer that comes before its route, if the path is below an open prefix (`openPrefixes`). A
 * redirect needs that as well, or a browser doesn't follow it (Fetch Standard, HTTP fetch). Returns whether the path is.
 */
export function openAnswer({ url, server }: FastifyRequest, reply: FastifyReply): boolean {
  const path = url.split('?', 1)[0] ?? '';
  const isOpen = [...server.openPrefixes].some((prefix) => path.startsWith(`${prefix}/`));
  if (isOpen) reply.header('access-control-allow-origin', '*');
  return isOpen;
}
