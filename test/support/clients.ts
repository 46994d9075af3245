/** Clients of a service that trusts this machine as its proxy */

let clients = 0;
/** Headers of a client that hasn't called before */
export const newClient = () => ({
  'X-Forwarded-For': `198.51.${100 + Math.floor(clients / 250)}.${(clients++ % 250) + 1}`,
});
