/** Style sheets are extracted by the bundler; importing one yields nothing. */
declare module '*.css';
