/** The name of the service, as people see it. */
export const SERVICE_NAME = 'Territory Intelligence';
