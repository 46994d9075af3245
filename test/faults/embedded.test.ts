import { describeFaults } from './scenarios.ts';

describeFaults('embedded');
