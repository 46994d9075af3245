/**
 * Reads the page's data, and requests the first market. The browser runs this module before it has loaded
 * the others, so that the answers are available when they start.
 */
import { find } from '../../browser/dom.ts';
import { setConfig } from './config.ts';
import type { WorkspaceConfig } from './page-config.ts';
import { requestEarly } from './requests.ts';

const block = find('script[type="application/json"]', HTMLScriptElement);
export const pageConfig = JSON.parse(block.text) as WorkspaceConfig;
setConfig(pageConfig);
for (const path of pageConfig.first) requestEarly(path);
