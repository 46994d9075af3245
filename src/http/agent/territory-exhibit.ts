/** A brand's territory as a PDF. */
import { Readable } from 'node:stream';
import type { Caller } from '../../account/caller.ts';
import {
  EXHIBIT_PRICE_TEXT,
  PDF,
  territoryExhibit,
  TerritoryExhibitRequest,
} from '../../agent/territory-exhibit.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import type { Database } from '../../db/database.ts';
import { AGENTS, NO_STORE } from './shared.ts';

export function territoryExhibitOperation(db: Database, renderer: MapRenderer): Operation {
  return operation({
    ...AGENTS,
    id: 'makeTerritoryExhibit',
    method: 'post',
    path: '/agent/territory-exhibit',
    summary: 'Make a territory exhibit',
    description:
      'Returns a brand’s territory as a PDF to attach to an agreement: totals, maps at 300 dpi, all ' +
      'ZIP codes with figures, pending and removed ones, sources, and a reference that two copies of ' +
      'the same state share. The same state, data, and day (UTC) give the same bytes. A call costs ' +
      `${EXHIBIT_PRICE_TEXT}; failed calls cost nothing.`,
    body: TerritoryExhibitRequest,
    bodyExamples: {
      brand: {
        summary: 'On US Letter',
        value: exampleOf(TerritoryExhibitRequest) as typeof TerritoryExhibitRequest._zod.input,
      },
      scores: {
        summary: 'With scores, on A4',
        value: { brand: 'lone-star-roofing', vertical: 'roofing', paper: 'a4' },
      },
      price: {
        summary: 'For at most 6 units',
        value: { brand: 'lone-star-roofing', maxUnits: 6 },
      },
    },
    answers: { 200: { description: 'The exhibit', type: PDF } },
    errors: [402, 404, 409],
    errorExamples: {
      404: 'Lone Star Roofing holds no ZIP codes yet. Add some, then make the exhibit.',
    },
    handle: async ({ body, caller, signal }) => {
      const made = await territoryExhibit({ db, renderer }, caller as Caller, body, signal);
      return {
        status: 200,
        headers: {
          ...NO_STORE,
          'Content-Type': PDF,
          'Content-Disposition': `attachment; filename="${made.fileName}"`,
        },
        body: Readable.from(made.pieces, { objectMode: false }),
      };
    },
  });
}
