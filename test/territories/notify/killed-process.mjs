/**
 * Shares links and sends events to webhooks until it is killed. Arguments: the compiled modules as JSON, by name; the
 * organization; its brands, separated by commas; the certificate of the receiver; whether it shares links.
 */
const [modules, organizationId, brandIds, ca, shares] = process.argv.slice(2);
const named = JSON.parse(modules);
const { openDatabase } = await import(named.database);
const { createLog } = await import(named.log);
const { tenantOf } = await import(named.tenant);
const { mintShare } = await import(named.links);
const { publicFetch } = await import(named.fetch);
const { webhookSecretBox } = await import(named.secrets);
const { startWebhookSender } = await import(named.sender);

const db = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  databasePoolSize: 4,
  dataDir: process.env.DATA_DIR,
});
startWebhookSender(
  {
    db,
    fetch: publicFetch({ isAllowed: () => true, ca }),
    box: webhookSecretBox([]),
    log: createLog('error'),
    sendsMail: false,
    schedule: Array.from({ length: 1_000 }, () => 0.05),
  },
  20,
);
process.stdout.write('started\n');

const tenant = tenantOf(db, organizationId);
const actor = { kind: 'operator', id: null, name: 'Op' };
const share = { kind: 'brand', days: 3, hideBranding: false };
if (shares === 'yes') {
  for (const id of brandIds.split(',')) void keepSharing({ id, slug: id, name: id });
}

/** Prints the code of each link once its transaction is committed. */
async function keepSharing(brand) {
  for (;;) {
    const { link } = await tenant.transaction((tx) => mintShare(tx, actor, brand, share));
    process.stdout.write(`${link.code}\n`);
  }
}
