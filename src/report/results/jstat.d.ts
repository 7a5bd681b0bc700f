/** The used part of jStat; the package ships no types. */
declare module 'jstat' {
  const jstat: {
    jStat: {
      /** Gauss error function. */
      erf(x: number): number;
      studentt: {
        cdf(x: number, freedom: number): number;
        inv(p: number, freedom: number): number;
      };
    };
  };
  export default jstat;
}
