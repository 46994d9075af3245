/** The name of the service for people. */
export const SERVICE_NAME = 'Territory Intelligence';
