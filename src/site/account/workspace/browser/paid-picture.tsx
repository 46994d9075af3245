/** A picture that the service draws on request, because a new one costs units. */
import { useEffect, useState } from 'preact/hooks';
import { RefusalText, useAttempt } from './attempt.tsx';
import { config } from './config.ts';
import { request } from './requests.ts';

interface PaidPictureProps {
  path: string;
  /** Name of the file */
  name: string;
  /** Label of the button that requests it */
  label: string;
  alt: string;
}

export function PaidPicture({ path, name, label, alt }: PaidPictureProps) {
  const [url, setUrl] = useState<string | null>(null);
  const { attempt, isWorking, refusal } = useAttempt();
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  const { picture, pictureDays } = config().prices;
  const draw = () =>
    attempt(async () => {
      const response = await request(path);
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
          {picture} units, free again for {pictureDays} days while it stays the same
        </span>
      </div>
    </div>
  );
}
