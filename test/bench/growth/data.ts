/**
 * Fills a database with organizations of realistic shapes: most have a few brands with some hundred ZIP
 * codes, and some have thousands. What an organization wrote over two years lies scattered among the rows
 * of the others. Two probes are the same at every scale, and the benchmark measures them.
 */
import type { Database, Queryable } from '../../../src/base/db/database.ts';
import { bringUpToDate, fillWithSample, isEmpty } from '../../../src/run/start/prepare.ts';

/** Numbers of rows, without the rows of the probes */
export interface Growth {
  organizations: number;
  /** ZIP codes held or removed, in all brands */
  zips: number;
  /** Reviews. Each ZIP code has one where all of them fit */
  reviews: number;
  /** Entries of the activity log */
  entries: number;
}

export interface Probe {
  organizationId: string;
  personId: string;
  /** Slugs, largest first */
  brands: string[];
  /** Id of a plan */
  plan: string;
}

/** Rounds in which everything grows, so that the rows of an organization are scattered */
const ROUNDS = 20;
const DAYS = 700;

/** Brands, ZIP codes of the largest brand, entries, and plans of each probe, by its number */
const PROBES = {
  typical: { n: 0, brands: 3, zips: 300, entries: 2_000, plans: 3 },
  large: { n: -1, brands: 20, zips: 8_000, entries: 50_000, plans: 100 },
} as const;

export type ProbeName = keyof typeof PROBES;

/** @param say receives the name of each step before it starts */
export async function grow(
  db: Database,
  growth: Growth,
  say: (step: string) => void,
): Promise<void> {
  await bringUpToDate(db);
  if (await isEmpty(db)) {
    say('national sample data');
    await fillWithSample(db, () => {});
  }
  const run = (sql: string) => loadUnchecked(db, (tx) => tx.query(sql));
  for (const [step, statements] of accounts(growth)) {
    say(step);
    for (const statement of statements) await run(statement);
  }
  const rebuild = await dropIndexes(db, ['brand_zips', 'reviews', 'activity', 'usage_days']);
  for (let round = 0; round < ROUNDS; round++) {
    say(`territories, reviews, and activity, round ${round + 1} of ${ROUNDS}`);
    await run(territories(growth, round));
    await run(activity(growth, round));
  }
  say('plans');
  for (const statement of drafts()) await run(statement);
  say('usage, removals, share links, and what expires');
  for (const statement of historyStatements(growth)) await run(statement);
  for (const statement of rebuild) {
    say(statement.replace(/ \(.*/, ''));
    await run(statement);
  }
  say('statistics');
  await db.query('vacuum analyze');
}

/** Inserts without checks of foreign keys, because generated rows are consistent. */
const loadUnchecked = (db: Database, work: (tx: Queryable) => Promise<unknown>) =>
  db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await work(tx);
  });

export async function probeOf(db: Database, name: ProbeName): Promise<Probe> {
  const [probe] = await db.query<Probe>(
    `select o.id as "organizationId", ${PERSON('o.id', '1')} as "personId",
       array(select slug from growth_brands where organization_id = o.id order by n) as brands,
       ${PLAN('o.id', '1')} as plan
     from growth_organizations o where n = ${PROBES[name].n}`,
  );
  return probe!;
}

const ID = (...parts: string[]) => `md5(concat_ws(' ', ${parts.join()}))::uuid`;
const KEY = (organization: string) => ID(`'key'`, organization);
const PERSON = (organization: string, n: string) => ID(`'person'`, organization, n);
const PLAN = (organization: string, n: string) => ID(`'plan'`, organization, n);
const PEOPLE = 3;

function accounts({ organizations, zips }: Growth): [string, string[]][] {
  const ofProbe = (field: 'brands' | 'zips' | 'plans') =>
    Object.values(PROBES)
      .map((probe) => `when n = ${probe.n} then ${probe[field]}`)
      .join(' ');
  const plan = [
    `create unlogged table growth_zips as
       select row_number() over (order by zip) - 1 as n, zip from zips`,
    'alter table growth_zips add primary key (n)',
    `create unlogged table growth_organizations as
       select n, ${ID(`'organization'`, 'n')} as id,
         case ${ofProbe('brands')} else 1 + least(floor(-ln(1 - random()) * 1.6), 60)::int end as brands
       from generate_series(-1, ${organizations}) n`,
    // A Pareto distribution: the largest hundredth of the brands holds a quarter of the ZIP codes.
    `create unlogged table growth_brands as
       with drawn as (
         select n, id, b, least(power(1 - random(), -0.8), 600) as weight
         from growth_organizations, generate_series(1, brands) b
       ), scaled as (
         select *, weight * ${zips} / sum(weight) filter (where n > 0) over () as share from drawn
       )
       select row_number() over (order by n > 0, case when n <= 0 then n * 100 + b end, share desc) as n, n as organization,
         id as organization_id, ${ID(`'brand'`, 'id', 'b')} as id, 'brand-' || b as slug,
         case ${Object.values(PROBES)
           .map((probe) => `when n = ${probe.n} then ${probe.zips} / b`)
           .join(' ')} else least(greatest(share, 1), 30000)::int end as size,
         abs(hashtext(${ID('id', 'b')}::text)) % (select count(*) from growth_zips) as first
       from scaled`,
    'create unique index on growth_brands (n)',
    // Two plans for three organizations: most of a metro, some of a state.
    `create unlogged table growth_plans as
       select id as organization_id, ${PLAN('id', 'p')} as id, p,
         array(select zip from growth_zips z
               where z.n >= at.first and z.n < at.first + case p % 10 when 0 then 2000 else 250 end
               order by zip) as zips
       from growth_organizations o, generate_series(1, case ${ofProbe('plans')} else n % 3 end) p,
         lateral (select abs(hashtext(${ID('id', 'p')}::text)) % 31000 as first) at`,
    'analyze growth_zips, growth_organizations, growth_brands, growth_plans',
    `create unlogged table growth_samples as
       select i, array_agg(zip order by zip) as zips,
         jsonb_object_agg(zip, 'pending') as before, jsonb_object_agg(zip, 'live') as after
       from generate_series(1, 2000) i
         cross join lateral (select case when i % 10 < 6 then i % 3 when i % 10 < 9 then 9 else 60 end as more) m
         join growth_zips on growth_zips.n between i * 13 and i * 13 + more
       group by i`,
  ];
  return [
    ['a plan of the organizations and brands', plan],
    [
      'organizations, people, keys, and brands',
      [
        `insert into organizations (id, slug, name, created_at)
           select id, 'growth-' || n + 1, 'Growth ' || n, now() - random() * ${DAYS} * interval '1 day'
           from growth_organizations`,
        `insert into plans select id, 'active', null, 5, 1000000, true from growth_organizations`,
        `insert into people (id, email, name)
           select ${PERSON('id', 'p')}, 'person' || p || '@growth-' || n || '.example', 'Pat ' || p
           from growth_organizations, generate_series(1, ${PEOPLE}) p`,
        `insert into memberships (organization_id, person_id, role)
           select id, ${PERSON('id', 'p')}, case p when 1 then 'owner' else 'member' end
           from growth_organizations, generate_series(1, ${PEOPLE}) p`,
        `insert into api_keys
             (id, organization_id, name, secret_hash, hint, all_brands, may_write, created_by)
           select ${KEY('id')}, id, 'Agent', sha256(id::text::bytea), 'abcd', true, true,
             ${PERSON('id', '1')}
           from growth_organizations`,
        `insert into brands (id, organization_id, slug, name)
           select id, organization_id, slug, 'Brand ' || slug from growth_brands`,
      ],
    ],
  ];
}

const OFTEN = (values: string, most: number) => `abs(hashtext(${values})) % 1000 < ${most}`;
const TIME = (round: number) =>
  `now() - (${ROUNDS - round} - random()) * ${DAYS / ROUNDS} * interval '1 day'`;
const KEY_ACTOR = (o: string) =>
  `jsonb_build_object('kind', 'key', 'id', ${KEY(o)}, 'name', 'Agent')`;
const PERSON_ACTOR = (o: string, n: string) =>
  `jsonb_build_object('kind', 'person', 'id', ${PERSON(o, n)}, 'name', 'Pat ' || ${n})`;
const IS_PROBE = (organization: string) =>
  `${organization} in (select id from growth_organizations where n <= 0)`;

/** A round's ZIP codes and their reviews. */
function territories({ zips, reviews }: Growth, round: number): string {
  return `
    with added as (
      insert into brand_zips (organization_id, brand_id, zip, state, changed_at)
      select b.organization_id, b.id, z.zip,
        case when ${OFTEN('b.id::text || z.zip', 40)} then 'removed'
             when ${OFTEN('b.id::text || z.zip', 60)} then 'pending' else 'live' end,
        ${TIME(round)}
      from growth_brands b
        cross join lateral generate_series(
          b.size * ${round} / ${ROUNDS}, b.size * ${round + 1} / ${ROUNDS} - 1) k
        join growth_zips z on z.n = (b.first + k) % (select count(*) from growth_zips)
      returning *
    )
    insert into reviews (organization_id, brand_id, zip, batch_id, status, requested_by, requested_at,
      decided_by, decided_at)
    select organization_id, brand_id, zip, ${ID('brand_id', String(round))},
      case state when 'pending' then 'pending' else 'approved' end, ${KEY_ACTOR('organization_id')},
      changed_at - interval '1 day',
      case when state <> 'pending' then ${PERSON_ACTOR('organization_id', '1')} end,
      case when state <> 'pending' then changed_at end
    from added
    where state = 'pending' or ${IS_PROBE('organization_id')}
      or ${OFTEN('zip || brand_id', Math.round((1000 * reviews) / Math.max(zips, 1)))}`;
}

/** A round's entries. Large brands have more of them. */
function activity({ entries }: Growth, round: number): string {
  const ofProbes = Object.values(PROBES).map(
    (probe) =>
      `select 1 + floor(random() * ${probe.brands})::int + ${
        // The brands of the probes come first, those of the large one before those of the typical one.
        probe.n === 0 ? PROBES.large.brands : 0
      }, i from generate_series(1, ${probe.entries / ROUNDS}) i`,
  );
  const own = PROBES.large.brands + PROBES.typical.brands;
  return `
    insert into activity (organization_id, at, actor, brand_id, action, summary, zips, before, after)
    select b.organization_id, ${TIME(round)},
      case when picked.i % 3 = 0 then ${PERSON_ACTOR('b.organization_id', '1 + picked.i % 3')}
        else ${KEY_ACTOR('b.organization_id')} end,
      b.id, case when picked.i % 2 = 0 then 'territory_approved' else 'territory_applied' end,
      'Approved ' || cardinality(s.zips) || ' ZIP codes of Brand ' || b.slug || ': '
        || array_to_string(s.zips[1:8], ', ') || '.',
      s.zips, s.before, s.after
    from (
      select * from (
        select ${own + 1} + floor(power(random(), 2) * greatest((select count(*) from growth_brands) - ${own}, 1))::int as n, i
        from generate_series(1, ${Math.round(entries / ROUNDS)}) i
        union all ${ofProbes.join(' union all ')}
      ) picked order by random()
    ) picked
      join growth_brands b using (n) join growth_samples s on s.i = 1 + picked.i % 2000`;
}

const TERRITORIES = 4;

/** Plans, a link to each, and an uploaded measure for some of them */
const drafts = (): string[] => [
  `insert into territory_plans (organization_id, id, name, market, zips, settings, created_by, changed_by)
     select organization_id, id, 'Plan ' || p, 'A market', zips,
       '{"balance": "households", "vertical": "roofing"}', actor, actor
     from growth_plans, lateral (select ${PERSON_ACTOR('organization_id', '1')} as actor) a
     order by random()`,
  `insert into plan_territories (organization_id, plan_id, number, name, zips)
     select organization_id, id, t, 'Territory ' || t,
       zips[cardinality(zips) * (t - 1) / ${TERRITORIES} + 1 : cardinality(zips) * t / ${TERRITORIES}]
     from growth_plans, generate_series(1, ${TERRITORIES}) t`,
  `insert into plan_shares (organization_id, code, plan_id, created_by, expires_at)
     select organization_id, left(md5('share' || id), 12), id, ${PERSON_ACTOR('organization_id', '1')},
       now() + interval '30 days'
     from growth_plans`,
  `insert into data_sets (organization_id, slug, name, adds_up, unit, upload, created_by)
     select organization_id, 'jobs-' || p, 'Jobs ' || p, 'sum', 'count', 1, ${PERSON_ACTOR('organization_id', '1')}
     from growth_plans where p % 5 = 1`,
  `insert into data_set_uploads (organization_id, data_set_id, number, zips, amounts, row_counts, total, report, uploaded_by)
     select d.organization_id, d.id, 1, g.zips, array_fill(3.5, array[cardinality(g.zips)]),
       array_fill(1, array[cardinality(g.zips)]), 3.5 * cardinality(g.zips), '{"summary": "", "rows": 1, "counts": {}}', d.created_by
     from growth_plans g join data_sets d on d.organization_id = g.organization_id and d.slug = 'jobs-' || g.p`,
  `insert into plan_data_sets (organization_id, plan_id, data_set_id)
     select g.organization_id, g.id, d.id
     from growth_plans g join data_sets d on d.organization_id = g.organization_id and d.slug = 'jobs-' || g.p`,
];

/** What is old enough to be deleted is the larger part of the sessions, calls, counters, and messages. */
const historyStatements = ({ organizations }: Growth): string[] => [
  `insert into removals (id, organization_id, brand_id, removed_by, removed_at)
     select distinct ${ID('brand_id', 'left(zip, 2)')}, organization_id, brand_id,
       ${KEY_ACTOR('organization_id')}, now() - interval '30 days'
     from brand_zips where state = 'removed'`,
  `insert into removal_zips (organization_id, removal_id, zip, state_before, changed_at_before)
     select organization_id, ${ID('brand_id', 'left(zip, 2)')}, zip, 'live', changed_at
     from brand_zips where state = 'removed'`,
  `insert into activity (organization_id, actor, brand_id, action, summary, removal_id)
     select organization_id, removed_by, brand_id, 'territory_removed', 'Removed ZIP codes.', id
     from removals order by random()`,
  `insert into share_links (id, code, organization_id, brand_id, kind, created_by, created_at,
       expires_at, frozen_at)
     select ${ID(`'link'`, 'id', 'l')}, lpad(to_hex(n * 10 + l), 10, '0'), organization_id, id,
       case when l = 1 and n % 50 = 0 then 'zip_snapshot' else 'brand' end,
       ${PERSON_ACTOR('organization_id', '1')}, at, at + interval '30 days',
       case when l = 1 and n % 50 = 0 then at end
     from growth_brands, generate_series(1, 3) l, lateral (select ${TIME(ROUNDS >> 1)} as at) t`,
  `insert into share_link_zips
     select organization_id, id, zip, 'live' from share_links
       join brand_zips using (organization_id, brand_id) where kind = 'zip_snapshot'`,
  `insert into usage_periods
     select id, date_trunc('month', now())::date - m * interval '1 month', 500
     from growth_organizations, generate_series(0, 11) m`,
  `insert into usage_days
     select id, now()::date - d * 6, 'service_get_zip_profile', 5, 5
     from growth_organizations, generate_series(0, 59) d`,
  `insert into zip_ledger
     select id, date_trunc('month', now())::date - m * interval '1 month', 'seen',
       ('x' || repeat('0', 19000) || repeat(md5(n::text), 10) || repeat('0', 5680))::bit(100000)
     from growth_organizations, generate_series(0, 2) m where n % 5 = 0`,
  `insert into sessions (secret_hash, person_id, created_at, last_seen_at, expires_at, user_agent, client)
     select sha256((id::text || s)::bytea), id, at, at, at + interval '30 days',
       'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36',
       '203.0.113.7'
     from people, generate_series(1, 3) s, lateral (select now() - s * 4 * interval '1 day' as at) t`,
  `insert into known_browsers
     select id, sha256((id::text || b)::bytea), now() - b * interval '150 days'
     from people, generate_series(0, 2) b`,
  `insert into idempotent_calls
     select id, 'service_apply_territory', ${ID('id', 'c')}::text, sha256(id::text::bytea),
       jsonb_build_object('text', repeat('Requested 3 ZIP codes. ', 20)), now() - c * interval '7 hours'
     from growth_organizations, generate_series(1, 20) c`,
  `insert into limit_counters
     select policy || ':' || ${KEY('id')}, 5,
       (extract(epoch from now()) * 1000)::bigint + (n % 2 * 20 - 18) * 3600000
     from growth_organizations, unnest(array['mcp', 'mcp-day']) policy`,
  `insert into oauth_records (kind, id_hash, payload, grant_id, client_id, expires_at)
     select kind, sha256((id::text || kind)::bytea), jsonb_build_object('accountId', id, 'kind', kind),
       id::text, 'app', now() + case kind when 'RefreshToken' then 10 else -1 end * interval '1 day'
     from growth_organizations,
       unnest(array['Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken']) kind`,
  `insert into outbox (kind, recipient, queued_at, expires_at, done_at, outcome)
     select 'alert', 'person1@growth-' || n || '.example', at, at, at, 'sent'
     from growth_organizations, generate_series(1, 2) m,
       lateral (select now() - m * interval '20 hours' as at) t`,
  `insert into passkey_challenges
     select sha256(n::text::bytea), null, 'use', now() - interval '1 hour'
     from generate_series(1, ${organizations}) n`,
  `insert into sign_ups (id, email, name, password_hash, organization, next, expires_at)
     select gen_random_uuid(), 'new@growth-' || n || '.example', 'Pat', 'hash', 'New', '',
       now() + (n % 3 - 2) * interval '1 hour'
     from generate_series(1, ${Math.round(organizations / 2)}) n`,
];

/**
 * Drops indexes and primary keys that no foreign key needs: building them at the end takes a small part of
 * the time.
 * @returns the statements that build them again
 */
async function dropIndexes(db: Database, tables: readonly string[]): Promise<string[]> {
  const indexes = await db.query<{ drop: string; build: string }>(
    `select
       case when c.oid is null then format('drop index %s', indexrelid::regclass)
         else format('alter table %s drop constraint %I', indrelid::regclass, conname) end as drop,
       case when c.oid is null then pg_get_indexdef(indexrelid)
         else format('alter table %s add constraint %I %s', indrelid::regclass, conname,
           pg_get_constraintdef(c.oid)) end as build
     from pg_index left join pg_constraint c on conindid = indexrelid and contype in ('p', 'u')
     where indrelid = any($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid and contype = 'f')
     order by 2`,
    [tables],
  );
  for (const { drop } of indexes) await db.query(drop);
  return indexes.map(({ build }) => build);
}
