/** The bundler extracts style sheets; importing one yields nothing. */
declare module '*.css';
