/** Pictures of pages in guides. The test of a guide makes them, so that they show what people see. */
import { readdirSync, readFileSync } from 'node:fs';
import { projectFile } from '../../../base/geodata/project-files.ts';

/** CSS pixels */
export const PICTURE_SIZE = { width: 1280, height: 800 } as const;

export const PICTURES = 'src/doors/site/docs/pictures';

export const pictureNames = (): string[] => readdirSync(projectFile(PICTURES));

export const readPicture = (name: string) => readFileSync(projectFile(`${PICTURES}/${name}`));

/** @param target as guides link to it: `pictures/sign-up.webp` */
export const picturePath = (target: string) => `/docs/${target}`;
