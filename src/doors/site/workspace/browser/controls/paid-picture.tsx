/** A picture that the service draws on request, because a new one costs units. */
import { useEffect, useState } from 'preact/hooks';
import { RefusalText, useAttempt } from './attempt.tsx';
import { config } from '../config.ts';
import { request } from '../requests.ts';

const STYLES = ['light', 'dark', 'muted'] as const;
type PictureStyle = (typeof STYLES)[number];

interface PaidPictureProps {
  /** Returns the path of the picture in a style */
  path: (style: PictureStyle) => string;
  /** The style until someone chooses another */
  firstStyle: PictureStyle;
  /** Name of the file */
  name: string;
  /** Label of the button that requests it */
  label: string;
  alt: string;
}

export function PaidPicture({ path, firstStyle, name, label, alt }: PaidPictureProps) {
  const [style, setStyle] = useState(firstStyle);
  const [url, setUrl] = useState<string | null>(null);
  const { attempt, isWorking, refusal } = useAttempt();
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  const { picture, pictureDays } = config().prices;
  const draw = () =>
    attempt(async () => {
      const response = await request(path(style));
      setUrl(URL.createObjectURL(await response.blob()));
    });
  return (
    <div class="paid-picture">
      {url !== null && (
        <a href={url} target="_blank" rel="noopener" title="Open in a new tab">
          <img src={url} alt={alt} />
        </a>
      )}
      <RefusalText>{refusal}</RefusalText>
      <div class="buttons">
        <label>
          Style{' '}
          <select
            value={style}
            disabled={isWorking}
            onChange={({ currentTarget: { value } }) => {
              setStyle(value as PictureStyle);
              setUrl(null);
            }}
          >
            {STYLES.map((each) => (
              <option key={each} value={each}>
                {each.charAt(0).toUpperCase() + each.slice(1)}
              </option>
            ))}
          </select>
        </label>
        {url !== null ? (
          <a class="quiet-button" href={url} download={name}>
            Save the picture
          </a>
        ) : (
          <button
            type="button"
            class="quiet-button"
            disabled={isWorking}
            onClick={() => void draw()}
          >
            {isWorking ? 'Drawing…' : label}
          </button>
        )}
        <span class="quiet small">
          {picture} units. Drawing the same picture again is free for {pictureDays} days.
        </span>
      </div>
    </div>
  );
}
