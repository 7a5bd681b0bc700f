import { parquetWriteFile } from 'hyparquet-writer';
import type { Column } from '../../experiments';
import { replaceWhole } from '../host/write-whole';

/** Rows of a group: a reader of few columns or rows reads few bytes. */
const GROUP_ROWS = 100_000;

/**
 * Writes a table as a Parquet file (Snappy, a dictionary where that is smaller), completely or not at all.
 * @param about texts for the file's own metadata
 */
export function writeParquet(
  file: string,
  columns: readonly Column[],
  about: Readonly<Record<string, string>>,
): void {
  // hyparquet-writer opens the file by itself, group after group.
  replaceWhole(file, (filename) =>
    parquetWriteFile({
      filename,
      columnData: columns.map(({ name, type, data }) => ({ name, type, data, nullable: true })),
      rowGroupSize: GROUP_ROWS,
      createdBy: about['generator'] ?? 'multipath-dash',
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
    }),
  );
}
