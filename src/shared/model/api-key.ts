import { z } from 'zod';

/** The name of an API key; streams made with the key carry it as `createdByTokenName`. */
export const ApiKeyName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name.trim() !== '', 'must not be blank');

/** An API key without its secret, which is given out once and stored only as a hash. Times are epoch milliseconds. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.int(),
  lastUsedAt: z.int().optional(),
});
export type ApiKey = z.infer<typeof ApiKey>;
