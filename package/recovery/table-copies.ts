import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  LimitExceededException,
  ResourceInUseException,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
} from "@aws-sdk/client-dynamodb";
import { RecoveryError } from "./recovery-error.ts";

const POLL_MS = 10_000;

/** A table as it is now, and the instants it can be taken back to. */
export type TableState = {
  readonly items: number;
  readonly bytes: number;
  readonly earliest: Date;
  readonly latest: Date;
};

/**
 * What DynamoDB says of a table; its counts are some hours old.
 *
 * @throws RecoveryError where it keeps no continuous backups
 */
export async function tableState(client: DynamoDBClient, TableName: string): Promise<TableState> {
  const [{ Table }, { ContinuousBackupsDescription: backups }] = await Promise.all([
    client.send(new DescribeTableCommand({ TableName })),
    client.send(new DescribeContinuousBackupsCommand({ TableName })),
  ]);
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    backups?.PointInTimeRecoveryDescription ?? {};
  if (!earliest || !latest)
    throw new RecoveryError(
      `${TableName} has no point-in-time recovery, so nothing of its past can be restored. Stages other than dev have it.`,
    );
  return { items: Table?.ItemCount ?? 0, bytes: Table?.TableSizeBytes ?? 0, earliest, latest };
}

/**
 * Begins to restore a table into a new one, without indexes: it is read whole, once. A copy that was begun before is used.
 *
 * @param copy  name of the new table
 */
export async function beginCopy(
  client: DynamoDBClient,
  table: string,
  copy: string,
  to: Date,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      await client.send(
        new RestoreTableToPointInTimeCommand({
          SourceTableName: table,
          TargetTableName: copy,
          RestoreDateTime: to,
          BillingModeOverride: "PAY_PER_REQUEST",
          GlobalSecondaryIndexOverride: [],
        }),
      );
      return;
    } catch (error) {
      if (error instanceof TableAlreadyExistsException) return;
      // An account may restore fifty tables at a time.
      if (!(error instanceof LimitExceededException)) throw error;
      await sleep(POLL_MS);
    }
  }
}

/** Waits until a copy can be read. */
export async function awaitCopy(
  client: DynamoDBClient,
  copy: string,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: copy }));
    if (Table?.TableStatus === "ACTIVE") return;
    await sleep(POLL_MS);
  }
}

/** Deletes a copy, once it is made whole; one that is gone is no error. */
export async function dropCopy(
  client: DynamoDBClient,
  TableName: string,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      await client.send(new DeleteTableCommand({ TableName }));
      return;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return;
      // A table that is still being restored cannot be deleted.
      if (!(error instanceof ResourceInUseException)) throw error;
      await sleep(POLL_MS);
    }
  }
}
