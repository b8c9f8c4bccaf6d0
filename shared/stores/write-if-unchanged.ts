import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { pastConflicts } from "./transact.ts";

/** Makes a conditional write. @returns false when its condition refused it */
export async function writeIfUnchanged(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await pastConflicts(write);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
