/** The form that uploads a file of the organization's own data. */
import { render } from 'preact';
import { data, findById } from '../../browser/dom.ts';
import { Uploader } from './browser/uploader.tsx';
import type { Settings } from './browser/send-file.ts';

const place = findById('uploader', HTMLElement);
render(<Uploader settings={JSON.parse(data(place, 'settings')) as Settings} />, place);
