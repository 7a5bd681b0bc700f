/** The part of jStat that is used here; the package brings no types. */
declare module 'jstat' {
  const jstat: {
    jStat: {
      studentt: {
        cdf(x: number, freedom: number): number;
        inv(p: number, freedom: number): number;
      };
    };
  };
  export default jstat;
}
