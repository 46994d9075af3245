/**
 * What has changed for those who use the service, the latest first. A test holds it against the
 * contract: the latest version stands first, and what is deprecated is told.
 */
export interface Release {
  /** Day of the contract's version */
  version: string;
  /** Sentences in Markdown, by kind */
  added?: readonly string[];
  changed?: readonly string[];
  deprecated?: readonly string[];
  removed?: readonly string[];
}

export const CHANGELOG: readonly Release[] = [
  {
    version: '2026-08-22',
    added: [
      'The public layer: scores and census figures of ZIP codes in launched metros, summaries of verticals and metros, sampled rankings, the data study as JSON and CSV, maps as PNG.',
      'Maps to draw yourself: `GET /map-context`, vector tiles with TileJSON, three styles for MapLibre GL with their fonts.',
      'Shared maps: `GET /shared/{token}/meta`, `GET /shared/{token}/boundaries`, vector tiles, a picture, and a page that can be embedded.',
      'The authenticated layer with API keys: `GET /agent/capabilities`, `POST /agent/territory-plan`.',
      'The MCP server at `POST /mcp` with 17 tools, of the protocol’s revision 2026-07-28 and those before it.',
      'The command line `territory`.',
      'Accounts: signing up with a trial, members with roles, API keys, sessions.',
      'Connectors: apps sign in to `POST /mcp` as a person, by OAuth.',
      'The documentation, also as Markdown.',
    ],
    deprecated: [
      '`GET /agent/mcp-manifest.json`, which ends on 2027-08-22. Use `GET /mcp/info` or `GET /.well-known/mcp.json`.',
    ],
  },
];
