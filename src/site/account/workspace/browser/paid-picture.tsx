/** A picture that the service draws on request, since a new one costs units. */
import { useEffect, useState } from 'preact/hooks';
import { config } from './config.ts';
import { messageOf, request } from './requests.ts';

interface PaidPictureProps {
  path: string;
  /** Of the file */
  name: string;
  /** Of the button that asks for it */
  label: string;
  alt: string;
}

export function PaidPicture({ path, name, label, alt }: PaidPictureProps) {
  const [url, setUrl] = useState<string | null>(null);
  const [isDrawing, setDrawing] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  const { picture, pictureDays } = config().prices;
  const draw = async () => {
    setDrawing(true);
    setRefusal(null);
    try {
      const response = await request(path);
      setUrl(URL.createObjectURL(await response.blob()));
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setDrawing(false);
    }
  };
  return (
    <div class="paid-picture">
      {url !== null && (
        <a href={url} target="_blank" rel="noopener" title="Open in a new tab">
          <img src={url} alt={alt} />
        </a>
      )}
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <div class="buttons">
        {url !== null ? (
          <a class="quiet-button" href={url} download={name}>
            Save the picture
          </a>
        ) : (
          <button
            type="button"
            class="quiet-button"
            disabled={isDrawing}
            onClick={() => void draw()}
          >
            {isDrawing ? 'Drawing…' : label}
          </button>
        )}
        <span class="quiet small">
          {picture} units, free again for {pictureDays} days while it stays the same
        </span>
      </div>
    </div>
  );
}
