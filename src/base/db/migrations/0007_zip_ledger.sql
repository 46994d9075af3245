-- Room: account. ZIP codes whose figures the organization may see each month. Null: the default of the
-- plan's status (account/plans.ts).
alter table plans add column monthly_zips integer check (monthly_zips >= 0);

-- Room: metering. ZIP codes whose figures an organization saw or exported in a month (UTC, its first
-- day). Bit n stands for ZIP code n, so "00501" is bit 501. A full month takes 12.5 kB, a typical one
-- compresses to less than 2 kB.
create table zip_ledger (
  organization_id uuid not null references organizations,
  month date not null,
  use text not null check (use in ('seen', 'exported')),
  zips bit(100000) not null,
  primary key (organization_id, month, use)
);
