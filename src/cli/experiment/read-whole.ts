import { InvalidArgumentError } from 'commander';

/** Parses whole numbers of a range from the command line. */
export function readWhole(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new InvalidArgumentError(`expected a whole number from ${from} to ${to}`);
  };
}
