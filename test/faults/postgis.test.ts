import { describeFaults } from './scenarios.ts';

describeFaults('PostGIS');
