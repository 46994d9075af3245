/** Exports the open plan as files and as a picture. */
import { useState } from 'preact/hooks';
import { RefusalText, useAttempt } from '../controls/attempt.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { isEdited } from '../territories/editing.ts';
import { fileName } from '../controls/file-name.ts';
import { PaidPicture } from '../controls/paid-picture.tsx';
import { planPath } from './plan-requests.ts';
import { request } from '../requests.ts';
import type { PlanSource } from '../state.ts';
import { useStore } from '../use-store.ts';

const FILES = [
  { path: 'zips.csv', label: 'CSV', hint: 'A row for each ZIP code' },
  { path: 'zips.xlsx', label: 'Excel', hint: 'The same rows as a workbook' },
  { path: 'boundaries.kml', label: 'KML', hint: 'Boundaries for Google Earth' },
  { path: 'boundaries.geojson', label: 'GeoJSON', hint: 'Boundaries for web maps' },
  { path: 'shapefile.zip', label: 'Shapefile', hint: 'Boundaries for GIS software' },
] as const;

interface ExportDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

export function ExportDialog({ plan: { id, name, version }, onClose }: ExportDialogProps) {
  const hasChanges = useStore(isEdited);
  const [loading, setLoading] = useState('');
  const { attempt, isWorking, refusal } = useAttempt();
  /** The page itself fetches files, because a failed link gives no reason. */
  const save = (path: string, file: string) => {
    setLoading(path);
    return attempt(async () => {
      const response = await request(`${planPath(id)}/${path}`);
      saveFile(await response.blob(), file);
    });
  };
  return (
    <Dialog title={`Export ${name}`} onClose={onClose}>
      <p class="quiet small">
        Files have places, territories, brands, and your uploaded measures, but no census figures.
        They are free.{hasChanges && ' Unsaved changes aren’t in them.'}
      </p>
      <ul class="files">
        {FILES.map(({ path, label, hint }) => (
          <li key={path}>
            <button
              type="button"
              class="quiet-button"
              disabled={isWorking}
              onClick={() => void save(path, fileName(name, path.split('.')[1]!))}
            >
              {isWorking && loading === path ? 'Loading…' : label}
            </button>
            <span class="quiet small">{hint}</span>
          </li>
        ))}
      </ul>
      <RefusalText>{refusal}</RefusalText>
      <PaidPicture
        key={version}
        path={(style) => `${planPath(id)}/map.png?style=${style}`}
        firstStyle="light"
        name={fileName(name, 'png')}
        label="Draw a picture"
        alt={`Map of the territories of ${name}`}
      />
    </Dialog>
  );
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then, the browser has opened the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
