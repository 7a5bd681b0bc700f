/** Files of a scenario that names none. */
export const noFiles = { resolve: (name: string) => name, read: () => '' };
