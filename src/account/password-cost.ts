/**
 * The cost of hashing a password: N = 2^ln, block size r, parallelism p (RFC 7914). Each hash states
 * the cost it was made with, so the cost can grow.
 *
 * One of the equal choices of OWASP's Password Storage Cheat Sheet. It takes 32 MiB and about 0.15 s;
 * the choice with 128 MiB would be too much for several sign-ins at once. Tests hash at a lower cost.
 */
export const PASSWORD_COST = { ln: 15, r: 8, p: 3 };
