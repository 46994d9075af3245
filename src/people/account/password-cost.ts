/**
 * The cost of hashing a password: N = 2^ln, block size r, parallelism p (RFC 7914). Each hash contains its cost, so the
 * cost can grow.
 *
 * OWASP's Password Storage Cheat Sheet lists several equivalent costs. This one takes 32 MiB and about 0.15 s. The one
 * with 128 MiB would be too much for several sign-ins at the same time. Tests hash at a lower cost.
 */
export const PASSWORD_COST = { ln: 15, r: 8, p: 3 };
